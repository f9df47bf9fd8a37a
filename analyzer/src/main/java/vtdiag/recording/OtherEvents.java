package vtdiag.recording;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import vtdiag.jfr.Constants;
import vtdiag.jfr.LongIntMap;
import vtdiag.jfr.Malformed;
import vtdiag.jfr.Metadata.JfrType;
import vtdiag.jfr.Problems;
import vtdiag.jfr.Walk;
import vtdiag.model.ThreadRef;
import vtdiag.pin.ThreadEvent;
import vtdiag.recording.ChunkData.DecodedStack;
import vtdiag.recording.TimeRange.Span;

/**
 * Reads what chunks say of virtual threads besides their pins. Most events of most recordings are
 * of platform threads; of these only the numbers are read, as it takes the constants to know whose
 * they are, and the stacks have to be wanted before.
 */
final class OtherEvents {
  /** Whether an event is to be added. */
  interface Filter {
    boolean test(ThreadEvent event, long start, long duration);
  }

  private record Look(ThreadEvent event, DecodedStack stack, String text) {}

  /** What one chunk says. */
  static final class Read {
    private final Map<ThreadEvent, Long> platform = new EnumMap<>(ThreadEvent.class);
    private final List<ThreadRef> threads = new ArrayList<>();
    private final List<Look> looks = new ArrayList<>();
    private int size;
    private final long[] starts;
    private final long[] durations;
    private final int[] threadOf;
    private final int[] lookOf;
    private final long[] numbers;
    private final int[] peers;

    private Read(int most) {
      starts = new long[most];
      durations = new long[most];
      threadOf = new int[most];
      lookOf = new int[most];
      numbers = new long[most];
      peers = new int[most];
    }

    void addTo(EventTable table, Filter filter) {
      int[] threadNumbers = threads.stream().mapToInt(table::thread).toArray();
      int[] lookNumbers =
          looks.stream().mapToInt(l -> table.look(l.event, l.stack, l.text)).toArray();
      for (int i = 0; i < size; i++) {
        if (filter.test(looks.get(lookOf[i]).event, starts[i], durations[i])) {
          int peer = peers[i] == EventTable.NOBODY ? EventTable.NOBODY : threadNumbers[peers[i]];
          table.add(
              starts[i],
              durations[i],
              threadNumbers[threadOf[i]],
              lookNumbers[lookOf[i]],
              numbers[i],
              peer);
        }
      }
      platform.forEach(table::countOfPlatformThreads);
    }
  }

  private int found;

  // Of each event, what is read before the constants are.
  private int[] places = {};
  private int[] cursorOf = {};
  private int[] stackOf = {};
  private long[] threadIds = {};
  private long[] starts = {};
  private long[] durations = {};
  private long[] numbers = {};
  private long[] peerIds = {};

  private final LongIntMap threads = new LongIntMap();
  private final LongIntMap looks = new LongIntMap();
  private final EventLabels labels = new EventLabels();

  boolean isEmpty() {
    return found == 0;
  }

  /** Reads the numbers of the events in a time, and wants their stacks. */
  void find(
      Constants constants, Cursors cursors, Walk.Places wanted, Span span, Problems problems) {
    found = 0;
    int count = span.isNone() ? 0 : wanted.size();
    boolean all = span.isAll();
    for (int i = 0; i < count; i++) {
      try {
        int place = wanted.get(i);
        int cursor = cursors.moveTo(place);
        ChunkEvent event = cursors.get(cursor);
        long start = event.startNanos();
        long duration = event.durationNanos();
        if (all || span.overlaps(start, start + duration)) {
          int stack = constants.wantStack(event.stackId());
          add(cursor, place, stack, event.threadId(), start, duration);
          numbers[found - 1] = event.number();
          peerIds[found - 1] = event.peerId();
        }
      } catch (Malformed e) {
        problems.damagedEvent();
      }
    }
  }

  /** Adds an event whose numbers were read, and which turned out to be no pin. */
  void addNoPin(
      Cursors cursors, int cursor, int place, int stack, long thread, long start, long duration) {
    cursors.moveTo(place);
    add(cursor, place, stack, thread, start, duration);
    numbers[found - 1] = cursors.get(cursor).number();
    peerIds[found - 1] = cursors.get(cursor).peerId();
  }

  private void add(int cursor, int place, int stack, long thread, long start, long duration) {
    if (found == places.length) {
      int length = Math.max(64, found * 2);
      places = Arrays.copyOf(places, length);
      cursorOf = Arrays.copyOf(cursorOf, length);
      stackOf = Arrays.copyOf(stackOf, length);
      threadIds = Arrays.copyOf(threadIds, length);
      starts = Arrays.copyOf(starts, length);
      durations = Arrays.copyOf(durations, length);
      numbers = Arrays.copyOf(numbers, length);
      peerIds = Arrays.copyOf(peerIds, length);
    }
    places[found] = place;
    cursorOf[found] = cursor;
    stackOf[found] = stack;
    threadIds[found] = thread;
    starts[found] = start;
    durations[found++] = duration;
  }

  /**
   * Reads the events that were found.
   *
   * @param stacks gives a wanted stack
   * @return null if there are none
   */
  Read read(
      Cursors cursors, Constants constants, IntFunction<DecodedStack> stacks, Problems problems) {
    if (found == 0) {
      return null;
    }
    threads.clear();
    looks.clear();
    labels.clear();
    Read read = new Read(found);
    for (int i = 0; i < found; i++) {
      try {
        add(read, i, cursors, constants, stacks);
      } catch (Malformed e) {
        problems.damagedEvent();
      }
    }
    return read;
  }

  private void add(
      Read read, int i, Cursors cursors, Constants constants, IntFunction<DecodedStack> stacks) {
    ChunkEvent event = cursors.get(cursorOf[i]);
    ThreadEvent kind = event.threadEvent();
    int thread = thread(read, event.threadType(), threadIds[i], constants);
    if (!kind.ofAnyThread() && !read.threads.get(thread).virtual()) {
      read.platform.merge(kind, 1L, Long::sum);
      return;
    }
    String text = "";
    if (event.hasDetail()) {
      cursors.moveTo(places[i]);
      text = event.detail();
    }
    read.starts[read.size] = starts[i];
    read.durations[read.size] = durations[i];
    read.threadOf[read.size] = thread;
    read.lookOf[read.size] = look(read, kind, text, stackOf[i], stacks);
    read.numbers[read.size] = numbers[i];
    read.peers[read.size++] =
        peerIds[i] == 0 ? EventTable.NOBODY : thread(read, event.peerType(), peerIds[i], constants);
  }

  private int thread(Read read, JfrType type, long id, Constants constants) {
    int number = threads.get(id);
    if (number == LongIntMap.ABSENT) {
      number = read.threads.size();
      threads.put(id, number);
      read.threads.add(
          type == null
              ? ChunkEvent.NO_THREAD
              : constants.read(
                  type, id, ChunkEvent.NO_THREAD, ThreadRef.class, ChunkEvent::readThread));
    }
    return number;
  }

  private int look(
      Read read, ThreadEvent kind, String text, int stack, IntFunction<DecodedStack> stacks) {
    long key = (long) labels.number(kind, text) << 32 | stack;
    int look = looks.get(key);
    if (look == LongIntMap.ABSENT) {
      look = read.looks.size();
      looks.put(key, look);
      read.looks.add(new Look(kind, stacks.apply(stack), text));
    }
    return look;
  }
}
