package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.Constants;
import io.github.vtdiag.jfr.LongIntMap;
import io.github.vtdiag.jfr.Malformed;
import io.github.vtdiag.jfr.Metadata.JfrType;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.ChunkData.DecodedStack;
import io.github.vtdiag.recording.EventSelection.Detail;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Reads the events of virtual threads besides their pins. A chunk can have a million such events on
 * a few thousand stacks. So an event becomes only numbers, and each id is resolved once.
 */
final class ThreadEvents {
  /** Tests whether an event is to be added. */
  interface Filter {
    boolean test(ThreadEvent event, long start, long duration);
  }

  /** The number of a thread that is not in the table yet. */
  private static final int NO_NUMBER = -1;

  private record Look(ThreadEvent event, DecodedStack stack, String text, boolean hasRows) {}

  /** The events of one chunk. */
  static final class Read {
    private final List<ThreadRef> threads = new ArrayList<>();
    private final List<Look> looks = new ArrayList<>();

    /** True if each event has a row, whatever its look. */
    private final boolean allRows;

    // The totals of each look, over all of its events.
    private long[] counts = new long[64];
    private long[] sums = new long[64];

    // The rows.
    private int size;
    private long[] starts = {};
    private long[] durations = {};
    private int[] threadOf = {};
    private int[] lookOf = {};
    private long[] numbers = {};

    private Read(boolean allRows) {
      this.allRows = allRows;
    }

    private boolean isEmpty() {
      return looks.isEmpty();
    }

    private void count(int look, long number) {
      counts[look]++;
      sums[look] += number;
    }

    private int addLook(Look look) {
      if (looks.size() == counts.length) {
        counts = Arrays.copyOf(counts, looks.size() * 2);
        sums = Arrays.copyOf(sums, looks.size() * 2);
      }
      looks.add(look);
      return looks.size() - 1;
    }

    private void addRow(long start, long duration, int thread, int look, long number) {
      if (size == starts.length) {
        int length = Math.max(64, size * 2);
        starts = Arrays.copyOf(starts, length);
        durations = Arrays.copyOf(durations, length);
        threadOf = Arrays.copyOf(threadOf, length);
        lookOf = Arrays.copyOf(lookOf, length);
        numbers = Arrays.copyOf(numbers, length);
      }
      starts[size] = start;
      durations[size] = duration;
      threadOf[size] = thread;
      lookOf[size] = look;
      numbers[size++] = number;
    }

    /**
     * Adds what was read.
     *
     * @param filter is called for each event, which requires rows of all; null if all are to be
     *     added
     */
    void addTo(EventTable table, Filter filter) {
      if (filter != null && !allRows) {
        throw new IllegalStateException("events without rows cannot be told apart");
      }
      int[] threadNumbers = new int[threads.size()];
      Arrays.fill(threadNumbers, NO_NUMBER);
      int[] lookNumbers =
          looks.stream().mapToInt(l -> table.look(l.event, l.stack, l.text)).toArray();
      if (filter == null) {
        for (int look = 0; look < lookNumbers.length; look++) {
          table.count(lookNumbers[look], counts[look], sums[look]);
        }
      }
      for (int i = 0; i < size; i++) {
        Look look = looks.get(lookOf[i]);
        if (filter != null) {
          if (!filter.test(look.event, starts[i], durations[i])) {
            continue;
          }
          table.count(lookNumbers[lookOf[i]], 1, numbers[i]);
        }
        if (look.hasRows) {
          table.addRow(
              starts[i],
              durations[i],
              thread(threadOf[i], threadNumbers, table),
              lookNumbers[lookOf[i]],
              numbers[i]);
        }
      }
    }

    /** Returns a thread's number in the table, in which only threads of rows have one. */
    private int thread(int thread, int[] numbers, EventTable table) {
      if (numbers[thread] == NO_NUMBER) {
        numbers[thread] = table.thread(threads.get(thread));
      }
      return numbers[thread];
    }
  }

  private static final long NO_KEY = -1;

  private final EventSelection selection;
  private final LongIntMap threads = new LongIntMap();
  private final LongIntMap looks = new LongIntMap();
  private final EventLabels labels = new EventLabels();

  /** The labels of constant texts, by cursor and id. */
  private LongIntMap[] labelOfId = {};

  /** The details to read, by cursor and number of the stack; null if not requested yet. */
  private Detail[][] detailOf = {};

  private Cursors cursors;
  private Constants constants;
  private IntFunction<DecodedStack> stacks;
  private Read read;

  // The values of the previous event: the JVM writes events of one thread one after the other.
  private long lastThreadId;
  private int lastThread;
  private long lastKey;
  private int lastLook;

  ThreadEvents(EventSelection selection) {
    this.selection = selection;
  }

  /**
   * Begins a chunk.
   *
   * @param stackOf gives a stack by its number in the chunk
   * @param allRows whether each event gets a row, so that events can be distinguished
   */
  void reset(Cursors events, Constants pools, IntFunction<DecodedStack> stackOf, boolean allRows) {
    cursors = events;
    constants = pools;
    stacks = stackOf;
    read = new Read(allRows);
    threads.clear();
    looks.clear();
    labels.clear();
    labelOfId = new LongIntMap[cursors.count()];
    detailOf = new Detail[cursors.count()][];
    lastThread = -1;
    lastKey = NO_KEY;
  }

  /**
   * Returns whether anything is read of the cursor's event, whose stack has been read.
   *
   * @throws Malformed if it is damaged
   */
  boolean isWanted(int cursor) {
    // Stacks of platform threads alone are not even decoded.
    return isOfWantedThread(cursors.get(cursor)) && detail(cursor) != Detail.NONE;
  }

  private boolean isOfWantedThread(ChunkEvent event) {
    return event.threadEvent().ofAnyThread() || read.threads.get(thread(event)).virtual();
  }

  /**
   * Adds the cursor's event, which is wanted.
   *
   * @param standsFor the number of events that it stands for
   * @throws Malformed if it is damaged
   */
  void add(int cursor, long standsFor) {
    ChunkEvent event = cursors.get(cursor);
    ThreadEvent kind = event.threadEvent();
    int look = look(cursor, event, kind);
    long number = event.number() * standsFor;
    read.count(look, number);
    if (read.allRows || read.looks.get(look).hasRows) {
      read.addRow(event.startNanos(), event.durationNanos(), thread(event), look, number);
    }
  }

  private Detail detail(int cursor) {
    ChunkEvent event = cursors.get(cursor);
    int stack = constants.stackNumber(event.stackId());
    Detail[] known = detailOf[cursor];
    if (known == null || known.length <= stack) {
      known = known == null ? new Detail[stack + 64] : Arrays.copyOf(known, stack * 2);
      detailOf[cursor] = known;
    }
    if (known[stack] == null) {
      known[stack] = stacks.apply(stack).detail(event.threadEvent(), selection);
    }
    return known[stack];
  }

  /** Returns what was read; null if that is nothing. */
  Read read() {
    Read all = read;
    read = null;
    return all.isEmpty() ? null : all;
  }

  private int thread(ChunkEvent event) {
    long id = event.threadId();
    if (lastThread < 0 || id != lastThreadId) {
      lastThread = thread(event.threadType(), id);
      lastThreadId = id;
    }
    return lastThread;
  }

  private int thread(JfrType type, long id) {
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

  private int look(int cursor, ChunkEvent event, ThreadEvent kind) {
    int stack = constants.stackNumber(event.stackId());
    long key = PackedKey.ofLook(label(cursor, event, kind), stack);
    if (key == lastKey) {
      return lastLook;
    }
    int look = looks.get(key);
    if (look == LongIntMap.ABSENT) {
      DecodedStack decoded = stacks.apply(stack);
      look =
          read.addLook(
              new Look(
                  kind, decoded, event.detail(), decoded.detail(kind, selection) == Detail.ROWS));
      looks.put(key, look);
    }
    lastKey = key;
    lastLook = look;
    return look;
  }

  private int label(int cursor, ChunkEvent event, ThreadEvent kind) {
    long id = event.detailId();
    if (id == ChunkEvent.NO_CONSTANT) {
      return labels.number(kind, event.detail());
    }
    if (labelOfId[cursor] == null) {
      labelOfId[cursor] = new LongIntMap();
    }
    int label = labelOfId[cursor].get(id);
    if (label == LongIntMap.ABSENT) {
      label = labels.number(kind, event.detail());
      labelOfId[cursor].put(id, label);
    }
    return label;
  }
}
