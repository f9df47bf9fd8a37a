package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.Bytes;
import io.github.vtdiag.jfr.Chunk;
import io.github.vtdiag.jfr.ChunkHeader;
import io.github.vtdiag.jfr.ChunkWalker;
import io.github.vtdiag.jfr.Constants;
import io.github.vtdiag.jfr.LongIntMap;
import io.github.vtdiag.jfr.Malformed;
import io.github.vtdiag.jfr.Metadata.JfrType;
import io.github.vtdiag.jfr.Thinning;
import io.github.vtdiag.jfr.Walk;
import io.github.vtdiag.jfr.WantedEvents;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.JvmEvents;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.ChunkData.DecodedStack;
import io.github.vtdiag.recording.TimeRange.Span;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads the content of chunks, one after the other; several decoders can work on one recording. */
final class ChunkDecoder {
  /**
   * A chunk to read.
   *
   * @param span the time whose events are wanted
   * @param allRows whether each of its events gets a row, because another file may contain it too
   */
  record Task(Chunk chunk, Span span, boolean allRows) {}

  /**
   * A chunk can have a million of these, and a part of so many is enough: the allocations are an
   * estimate anyway, and the waits only show which threads are in a pool.
   */
  private static final List<List<ThreadEvent>> MANY =
      List.of(
          List.of(ThreadEvent.ALLOCATION_SAMPLE),
          List.of(
              ThreadEvent.PARK,
              ThreadEvent.SLEEP,
              ThreadEvent.SOCKET_READ,
              ThreadEvent.SOCKET_WRITE));

  /** The events to find in a chunk: pins, then facts, then the rest. */
  static final WantedEvents EVENTS =
      new WantedEvents(
          List.of(
              Events.EPISODES,
              Facts.EVENTS,
              names(
                  Arrays.stream(ThreadEvent.values())
                      .filter(event -> MANY.stream().noneMatch(many -> many.contains(event))))),
          MANY.stream().map(many -> names(many.stream())).toList());

  private static final int PINS = 0;
  private static final int FACTS = 1;
  private static final int OTHERS = 2;

  private final int maxChunkSize;
  private final EventSelection selection;
  private final Constants constants = new Constants();
  private final StackNames stackNames = new StackNames();
  private final Bytes in = new Bytes();
  private final LongIntMap threads = new LongIntMap();
  private final LongIntMap carriers = new LongIntMap();
  private final LongIntMap looks = new LongIntMap();
  private final Map<String, Integer> textNumbers = new HashMap<>();
  private final List<String> texts = new ArrayList<>();
  private final ThreadEvents others;
  private DecodedStack[] stacks = {};

  /**
   * @param selection the events besides pins that get rows
   */
  ChunkDecoder(int maxChunkSize, EventSelection selection) {
    this.maxChunkSize = maxChunkSize;
    this.selection = selection;
    others = new ThreadEvents(selection);
  }

  private static List<String> names(Stream<ThreadEvent> events) {
    return events.map(ThreadEvent::eventName).toList();
  }

  /** Reads a chunk, and releases it. */
  ChunkData decode(Task task) {
    try (Chunk chunk = task.chunk) {
      ChunkData data = new ChunkData(chunk.header());
      if (chunk.readable()) {
        read(task, data);
      }
      chunk.problems().forEach(data.problems::add);
      return data;
    }
  }

  private void read(Task task, ChunkData data) {
    Chunk chunk = task.chunk;
    Walk walk = chunk.walk();
    data.metadata = chunk.metadata();
    data.whole = chunk.whole();
    ChunkHeader header = chunk.header();
    data.endNanos =
        data.whole ? header.startNanos() + header.durationNanos() : lastNanos(chunk, walk);
    List<JfrType> types = chunk.types().wanted();
    constants.reset(chunk.metadata(), types, chunk.bytes(), chunk.end(), walk, data.problems);
    new EventsOfChunk(new Cursors(chunk, constants, types), data, task).read(walk);
    constants.release();
    if (chunk.other() < chunk.end()) {
      readWithin(task, data);
    }
  }

  /** Reads the chunks that begin in what should be the rest of a damaged one. */
  private void readWithin(Task task, ChunkData data) {
    Chunk outer = task.chunk;
    ChunkWalker walker = new ChunkWalker(outer, maxChunkSize, EVENTS);
    walker.open(
        new ByteArrayInputStream(outer.bytes(), outer.other(), outer.end() - outer.other()));
    for (Chunk chunk = walker.next(); chunk != null; chunk = walker.next()) {
      data.within.add(
          new ChunkDecoder(maxChunkSize, selection).decode(new Task(chunk, task.span, true)));
    }
    walker.close(data.problems);
  }

  /** Returns when the last event began, for a chunk without an end in its header. */
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

  /** Returns a stack by its number in the chunk. */
  private DecodedStack stack(int number) {
    if (number >= stacks.length) {
      stacks = Arrays.copyOf(stacks, Math.max(number + 1, stacks.length * 2));
    }
    if (stacks[number] == null) {
      stacks[number] = stackNames.stack(number);
    }
    return stacks[number];
  }

  /** The events of a chunk while they are read. */
  private final class EventsOfChunk {
    private final Cursors cursors;
    private final PinEpisode.Kind[] kinds;
    private final ChunkData data;
    private final Span span;
    private final boolean allRows;

    /** The labels by cursor and by the numbers of their texts. */
    private final LongIntMap[] labelsOf;

    private final List<ChunkData.Words> labelled = new ArrayList<>();
    private int lastLabel;
    private int lastLabelCursor = -1;

    EventsOfChunk(Cursors cursors, ChunkData data, Task task) {
      this.cursors = cursors;
      this.data = data;
      span = task.span;
      // A chunk that is not whole may be whole in another file.
      allRows = task.allRows || !data.whole;
      kinds = new PinEpisode.Kind[cursors.count()];
      labelsOf = new LongIntMap[cursors.count()];
      for (int i = 0; i < kinds.length; i++) {
        labelsOf[i] = new LongIntMap();
        kinds[i] = Events.kind(cursors.get(i).type()).orElse(null);
      }
    }

    void read(Walk walk) {
      int jdk = readFacts(walk.wanted(FACTS));
      Walk.Places pins = walk.wanted(PINS);
      Walk.Places rest = walk.wanted(OTHERS);
      int many = 0;
      for (int group = 0; group < MANY.size(); group++) {
        many += walk.thinned(group).size();
      }
      if (span.isNone() || pins.size() + rest.size() + many == 0) {
        return;
      }
      stackNames.reset(constants);
      threads.clear();
      carriers.clear();
      looks.clear();
      textNumbers.clear();
      texts.clear();
      Arrays.fill(stacks, null);
      others.reset(cursors, constants, ChunkDecoder.this::stack, allRows);
      boolean all = span.isAll();
      for (int i = 0; i < pins.size(); i++) {
        try {
          int cursor = cursors.moveTo(pins.get(i));
          if (all || isWanted(cursors.get(cursor))) {
            if (Events.isPin(kinds[cursor], jdk)) {
              add(cursor, kinds[cursor]);
            } else if (others.isWanted(cursor)) {
              others.add(cursor, 1);
            }
          }
        } catch (Malformed e) {
          data.problems.damagedEvent();
        }
      }
      for (int i = 0; i < rest.size(); i++) {
        addOther(rest.get(i), 1);
      }
      for (int group = 0; group < MANY.size(); group++) {
        Walk.Places some = walk.thinned(group);
        for (int i = 0; i < some.size(); i++) {
          addOther(some.get(i), Thinning.standsFor(i));
        }
      }
      data.events = others.read();
    }

    private void addOther(int place, long standsFor) {
      try {
        int cursor = cursors.moveToStack(place);
        if (others.isWanted(cursor)) {
          cursors.get(cursor).readRest();
          if (span.isAll() || isWanted(cursors.get(cursor))) {
            others.add(cursor, standsFor);
          }
        }
      } catch (Malformed e) {
        data.problems.damagedEvent();
      }
    }

    private boolean isWanted(ChunkEvent event) {
      long start = event.startNanos();
      return span.overlaps(start, start + event.durationNanos());
    }

    /** Returns the JDK's feature number if the chunk has it, else 0. */
    private int readFacts(Walk.Places facts) {
      int jdk = 0;
      for (int i = 0; i < facts.size(); i++) {
        try {
          ChunkEvent event = cursors.get(cursors.moveTo(facts.get(i)));
          data.facts.add(Facts.read(event));
          if (JvmEvents.isJvm(event.type())) {
            jdk = Events.feature(Events.jdkVersion(event));
          }
        } catch (Malformed | IllegalArgumentException e) {
          data.problems.damagedEvent();
        }
      }
      return jdk;
    }

    private void add(int cursor, PinEpisode.Kind kind) {
      ChunkEvent event = cursors.get(cursor);
      int thread = thread(event, event.threadId(), threads, data.threads);
      // Most monitor events are of platform threads, whose other fields are not needed.
      if (kind != PinEpisode.Kind.PINNED && !data.threads.get(thread).virtual()) {
        return;
      }
      int stack = constants.stackNumber(event.stackId());
      long carrier = event.carrierId();
      data.addPin(
          event.startNanos(),
          event.durationNanos(),
          thread,
          carrier == 0 ? -1 : thread(event, carrier, carriers, data.carriers),
          look(label(cursor, kind), stack));
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

    /** Returns the number of all texts of a pin's event. */
    private int label(int cursor, PinEpisode.Kind kind) {
      ChunkEvent event = cursors.get(cursor);
      if (!event.hasTexts() && lastLabelCursor == cursor) {
        return lastLabel;
      }
      int reason = text(event.reason());
      int operation = text(event.operation());
      boolean monitor = kind != PinEpisode.Kind.PINNED;
      int lock = text(monitor ? ClassRef.withoutHiddenSuffix(event.lockClass()) : "");
      long key = PackedKey.ofTexts(reason, operation, lock);
      LongIntMap labels = labelsOf[cursor];
      int label = labels.get(key);
      if (label == LongIntMap.ABSENT) {
        label = labelled.size();
        labels.put(key, label);
        labelled.add(
            new ChunkData.Words(
                kind, texts.get(reason), texts.get(operation), texts.get(lock), true));
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
      if (texts.size() == PackedKey.MAX_TEXTS) {
        throw new IllegalStateException("a million texts in one chunk");
      }
      textNumbers.put(text, texts.size());
      texts.add(text);
      return texts.size() - 1;
    }

    private int look(int label, int stack) {
      long key = PackedKey.ofLook(label, stack);
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
