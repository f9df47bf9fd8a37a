package vtdiag.recording;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vtdiag.jfr.Bytes;
import vtdiag.jfr.Chunk;
import vtdiag.jfr.ChunkHeader;
import vtdiag.jfr.ChunkWalker;
import vtdiag.jfr.Constants;
import vtdiag.jfr.LongIntMap;
import vtdiag.jfr.Malformed;
import vtdiag.jfr.Metadata.JfrType;
import vtdiag.jfr.Walk;
import vtdiag.model.ClassRef;
import vtdiag.model.PinEpisode;
import vtdiag.model.ThreadRef;
import vtdiag.pin.Events;
import vtdiag.pin.ThreadEvent;
import vtdiag.recording.ChunkData.DecodedStack;
import vtdiag.recording.TimeRange.Span;

/**
 * Reads what chunks say, one after the other; several decoders can read a recording's at a time.
 */
final class ChunkDecoder {
  /** A chunk, and the time of which its pins are wanted. */
  record Task(Chunk chunk, Span span) {}

  /** The events to find in a chunk: pins, then facts, then the rest. */
  static final List<List<String>> EVENTS =
      List.of(Events.EPISODES, Facts.EVENTS, ThreadEvent.NAMES);

  private static final int PINS = 0;
  private static final int FACTS = 1;
  private static final int OTHERS = 2;

  /** So many texts of each sort can be told apart in a chunk; a JVM writes a handful. */
  private static final int MAX_TEXTS = 1 << 20;

  private final int maxChunkSize;
  private final Constants constants = new Constants();
  private final StackNames stackNames = new StackNames();
  private final Bytes in = new Bytes();
  private final LongIntMap threads = new LongIntMap();
  private final LongIntMap carriers = new LongIntMap();
  private final LongIntMap looks = new LongIntMap();
  private final Map<String, Integer> textNumbers = new HashMap<>();
  private final List<String> texts = new ArrayList<>();
  private final OtherEvents others = new OtherEvents();
  private DecodedStack[] stacks = {};

  // Of each event that may be a pin, what is read before the constants are.
  private int[] places = {};
  private int[] cursorOf = {};
  private int[] stackOf = {};
  private long[] threadIds = {};
  private long[] carrierIds = {};

  ChunkDecoder(int maxChunkSize) {
    this.maxChunkSize = maxChunkSize;
  }

  /** Reads a chunk, and lets go of it. */
  ChunkData decode(Task task) {
    try (Chunk chunk = task.chunk) {
      ChunkData data = new ChunkData(chunk.header());
      if (chunk.readable()) {
        read(chunk, task.span, data);
      }
      chunk.problems().forEach(data.problems::add);
      return data;
    }
  }

  private void read(Chunk chunk, Span span, ChunkData data) {
    Walk walk = chunk.walk();
    data.metadata = chunk.metadata();
    data.whole = chunk.whole();
    ChunkHeader header = chunk.header();
    data.endNanos =
        data.whole ? header.startNanos() + header.durationNanos() : lastNanos(chunk, walk);
    List<JfrType> types = chunk.types().wanted();
    constants.reset(chunk.metadata(), types, chunk.bytes(), chunk.end(), walk, data.problems);
    new Pins(new Cursors(chunk, constants, types), data).read(walk, span);
    constants.release();
    if (chunk.other() < chunk.end()) {
      readWithin(chunk, span, data);
    }
  }

  /** Reads the chunks that begin in what should be the rest of a damaged one. */
  private void readWithin(Chunk outer, Span span, ChunkData data) {
    ChunkWalker walker = new ChunkWalker(outer, maxChunkSize, EVENTS);
    walker.open(
        new ByteArrayInputStream(outer.bytes(), outer.other(), outer.end() - outer.other()));
    for (Chunk chunk = walker.next(); chunk != null; chunk = walker.next()) {
      data.within.add(new ChunkDecoder(maxChunkSize).decode(new Task(chunk, span)));
    }
    walker.close(data.problems);
  }

  /** When the last event began, of a chunk whose header does not tell its end. */
  private long lastNanos(Chunk chunk, Walk walk) {
    long lastTicks = chunk.header().startTicks();
    int place = chunk.start() + ChunkHeader.SIZE;
    while (place < walk.end) {
      in.reset(chunk.bytes(), place, walk.end);
      int size = (int) in.varint();
      try {
        in.varint();
        lastTicks = Math.max(lastTicks, in.varint());
      } catch (Malformed e) {
        // An event without a time.
      }
      place += size;
    }
    return chunk.header().nanos(lastTicks);
  }

  private DecodedStack stack(int wanted) {
    if (stacks[wanted] == null) {
      stacks[wanted] = stackNames.stack(wanted);
    }
    return stacks[wanted];
  }

  /** The pins of a chunk while they are read. */
  private final class Pins {
    private final Cursors cursors;
    private final PinEpisode.Kind[] kinds;
    private final ChunkData data;

    private int found;

    /** By cursor, the labels by the numbers of their texts. */
    private final LongIntMap[] labelsOf;

    private final List<ChunkData.Words> labelled = new ArrayList<>();

    private int lastLabel;
    private int lastLabelCursor = -1;

    Pins(Cursors cursors, ChunkData data) {
      this.cursors = cursors;
      this.data = data;
      kinds = new PinEpisode.Kind[cursors.count()];
      labelsOf = new LongIntMap[cursors.count()];
      for (int i = 0; i < kinds.length; i++) {
        labelsOf[i] = new LongIntMap();
        kinds[i] = Events.kind(cursors.get(i).type()).orElse(null);
      }
    }

    void read(Walk walk, Span span) {
      // Which constants are wanted has to be known before the first is read.
      find(walk.wanted(PINS), span);
      others.find(constants, cursors, walk.wanted(OTHERS), span, data.problems);
      int jdk = readFacts(walk.wanted(FACTS));
      if (found == 0 && others.isEmpty()) {
        return;
      }
      stackNames.reset(constants);
      threads.clear();
      looks.clear();
      textNumbers.clear();
      texts.clear();
      if (stacks.length < constants.wantedStacks()) {
        stacks = new DecodedStack[constants.wantedStacks() * 5 / 4];
      }
      Arrays.fill(stacks, null);
      data.threadOf = new int[found];
      data.carrierOf = new int[found];
      carriers.clear();
      data.lookOf = new int[found];
      for (int i = 0; i < found; i++) {
        try {
          add(i, jdk);
        } catch (Malformed e) {
          data.problems.damagedEvent();
        }
      }
      data.events = others.read(cursors, constants, ChunkDecoder.this::stack, data.problems);
    }

    /** Reads the numbers of the pins in a time, and wants their stacks. */
    private void find(Walk.Places pins, Span span) {
      int count = span.isNone() ? 0 : pins.size();
      if (places.length < count) {
        int length = count + count / 4;
        places = new int[length];
        cursorOf = new int[length];
        stackOf = new int[length];
        threadIds = new long[length];
        carrierIds = new long[length];
      }
      data.starts = new long[count];
      data.durations = new long[count];
      boolean all = span.isAll();
      for (int i = 0; i < count; i++) {
        try {
          int place = pins.get(i);
          int cursor = cursors.moveTo(place);
          ChunkEvent event = cursors.get(cursor);
          long start = event.startNanos();
          long duration = event.durationNanos();
          if (all || span.overlaps(start, start + duration)) {
            places[found] = place;
            cursorOf[found] = cursor;
            stackOf[found] = constants.wantStack(event.stackId());
            threadIds[found] = event.threadId();
            carrierIds[found] = event.carrierId();
            data.starts[found] = start;
            data.durations[found] = duration;
            found++;
          }
        } catch (Malformed e) {
          data.problems.damagedEvent();
        }
      }
    }

    /** Returns the JDK's feature number if the chunk tells it, else 0. */
    private int readFacts(Walk.Places facts) {
      int jdk = 0;
      for (int i = 0; i < facts.size(); i++) {
        try {
          ChunkEvent event = cursors.get(cursors.moveTo(facts.get(i)));
          data.facts.add(Facts.read(event));
          if (event.type().equals(Events.JVM)) {
            jdk = Events.feature(Events.jdkVersion(event));
          }
        } catch (Malformed | IllegalArgumentException e) {
          data.problems.damagedEvent();
        }
      }
      return jdk;
    }

    private void add(int i, int jdk) {
      int cursor = cursorOf[i];
      PinEpisode.Kind kind = kinds[cursor];
      if (!Events.isPin(kind, jdk)) {
        others.addNoPin(
            cursors,
            cursor,
            places[i],
            stackOf[i],
            threadIds[i],
            data.starts[i],
            data.durations[i]);
        return;
      }
      int thread = thread(cursors.get(cursor), threadIds[i], threads, data.threads);
      // Most monitor events are of platform threads, of which nothing more need be read.
      if (kind != PinEpisode.Kind.PINNED && !data.threads.get(thread).virtual()) {
        return;
      }
      int label = label(cursor, kind, places[i]);
      data.threadOf[data.pins] = thread;
      data.carrierOf[data.pins] =
          carrierIds[i] == 0
              ? -1
              : thread(cursors.get(cursor), carrierIds[i], carriers, data.carriers);
      data.lookOf[data.pins] = look(label, stackOf[i]);
      data.starts[data.pins] = data.starts[i];
      data.durations[data.pins++] = data.durations[i];
    }

    private int thread(ChunkEvent event, long id, LongIntMap numbers, List<ThreadRef> all) {
      int number = numbers.get(id);
      if (number == LongIntMap.ABSENT) {
        number = all.size();
        JfrType type = event.threadType();
        all.add(
            type == null
                ? ChunkEvent.NO_THREAD
                : constants.read(
                    type, id, ChunkEvent.NO_THREAD, ThreadRef.class, ChunkEvent::readThread));
        numbers.put(id, number);
      }
      return number;
    }

    /** The number of all that a pin's event says in words. */
    private int label(int cursor, PinEpisode.Kind kind, int place) {
      ChunkEvent event = cursors.get(cursor);
      if (!event.hasTexts() && lastLabelCursor == cursor) {
        return lastLabel;
      }
      if (event.hasTexts()) {
        cursors.moveTo(place);
      }
      long reason = text(event.reason());
      long operation = text(event.operation());
      boolean monitor = kind != PinEpisode.Kind.PINNED;
      long lock = text(monitor ? ClassRef.withoutHiddenSuffix(event.lockClass()) : "");
      long key = reason | operation << 20 | lock << 40;
      LongIntMap labels = labelsOf[cursor];
      int label = labels.get(key);
      if (label == LongIntMap.ABSENT) {
        label = labelled.size();
        labels.put(key, label);
        labelled.add(
            new ChunkData.Words(
                kind,
                texts.get((int) reason),
                texts.get((int) operation),
                texts.get((int) lock),
                true));
      }
      lastLabel = label;
      lastLabelCursor = cursor;
      return label;
    }

    private int text(String text) {
      Integer known = textNumbers.get(text);
      if (known != null) {
        return known;
      }
      if (texts.size() == MAX_TEXTS) {
        throw new IllegalStateException("a million texts in one chunk");
      }
      textNumbers.put(text, texts.size());
      texts.add(text);
      return texts.size() - 1;
    }

    private int look(int label, int stack) {
      long key = (long) label << 32 | stack;
      int look = looks.get(key);
      if (look == LongIntMap.ABSENT) {
        look = data.looks.size();
        looks.put(key, look);
        data.looks.add(new ChunkData.Look(stack(stack), labelled.get(label)));
      }
      return look;
    }
  }
}
