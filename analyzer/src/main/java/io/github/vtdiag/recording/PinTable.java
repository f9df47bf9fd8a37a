package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.LongIntMap;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.recording.ChunkData.DecodedStack;
import io.github.vtdiag.recording.TimeRange.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The pins of a recording, a row each. A million pins share a few thousand combinations of
 * properties. A row has its times, its thread and the number of its look; the look has the rest
 * once.
 */
public final class PinTable {
  /**
   * The properties that pins share.
   *
   * @param stack equal stacks are one object, and so are equal frames
   * @param ended whether they were over when the recording ended
   */
  public record Look(
      StackTrace stack,
      PinEpisode.Kind kind,
      Optional<String> pinnedReason,
      Optional<String> blockingOperation,
      Optional<String> lockClass,
      boolean ended) {}

  /** The number for an unknown carrier. */
  public static final int NOT_TOLD = -1;

  private static final int SHIFT = 15;

  private static final int MASK = (1 << SHIFT) - 1;

  // Columns in blocks, which need not be copied as the table grows.
  private int size;
  private long[][] starts = {};
  private long[][] durations = {};
  private int[][] threads = {};
  private int[][] looks = {};
  private int[][] carriers = {};

  private final ThreadNumbers threadNumbers = new ThreadNumbers();
  private final ThreadNumbers carrierNumbers = new ThreadNumbers();
  private final List<Look> allLooks = new ArrayList<>();

  // The numbers of existing entries.
  private final LongIntMap lookNumbers = new LongIntMap();
  private final Map<List<Object>, Integer> labels = new HashMap<>();
  private final Stacks stacks;

  PinTable(Stacks stacks) {
    this.stacks = stacks;
  }

  /** Creates a table of these pins, in this order. */
  public static PinTable of(List<PinEpisode> pins) {
    PinTable table = new PinTable(new Stacks());
    pins.forEach(table::add);
    return table;
  }

  /** Adds a pin with an unknown carrier. */
  void add(PinEpisode pin) {
    add(pin, NOT_TOLD);
  }

  /** Adds a pin on this carrier. */
  void add(PinEpisode pin, ThreadRef carrier) {
    add(pin, carrierNumber(carrier));
  }

  private void add(PinEpisode pin, int carrier) {
    int look =
        look(
            new ChunkData.Look(
                DecodedStack.of(pin.stack()),
                new ChunkData.Words(
                    pin.kind(),
                    pin.pinnedReason().orElse(""),
                    pin.blockingOperation().orElse(""),
                    pin.lockClass().orElse(""),
                    pin.ended())));
    add(pin.startNanos(), pin.durationNanos(), thread(pin.thread()), look, carrier);
  }

  public int size() {
    return size;
  }

  /** Returns when a pin began, in nanoseconds since the epoch. */
  public long startNanos(int row) {
    return starts[row >>> SHIFT][row & MASK];
  }

  public long durationNanos(int row) {
    return durations[row >>> SHIFT][row & MASK];
  }

  public long endNanos(int row) {
    return startNanos(row) + durationNanos(row);
  }

  /** Returns the number of a pin's thread. */
  public int thread(int row) {
    return threads[row >>> SHIFT][row & MASK];
  }

  /** Returns the number of a pin's carrier; {@link #NOT_TOLD} before JDK 24. */
  public int carrier(int row) {
    return carriers[row >>> SHIFT][row & MASK];
  }

  /** Returns the carriers by number. */
  public List<ThreadRef> carriers() {
    return carrierNumbers.all();
  }

  /** Returns the number of a pin's look. */
  public int look(int row) {
    return looks[row >>> SHIFT][row & MASK];
  }

  /** Returns the threads by number. One thread has several numbers if it was renamed. */
  public List<ThreadRef> threads() {
    return threadNumbers.all();
  }

  /** Returns the looks by number; some may have no pins. */
  public List<Look> looks() {
    return allLooks;
  }

  /** Returns a pin as a value. */
  public PinEpisode episode(int row) {
    Look look = allLooks.get(look(row));
    return new PinEpisode(
        look.kind,
        startNanos(row),
        durationNanos(row),
        threads().get(thread(row)),
        look.stack,
        look.pinnedReason,
        look.blockingOperation,
        look.lockClass,
        look.ended);
  }

  /**
   * Returns all pins as values, in the order of their start. For few pins only: a large table is
   * read by row.
   */
  public List<PinEpisode> episodes() {
    return IntStream.range(0, size)
        .mapToObj(this::episode)
        .sorted(Comparator.comparingLong(PinEpisode::startNanos))
        .toList();
  }

  /** Returns the same pins as JDKs before 24 record them. */
  PinTable withoutReasons() {
    return of(
        episodes().stream()
            .map(
                pin ->
                    new PinEpisode(
                        pin.kind(),
                        pin.startNanos(),
                        pin.durationNanos(),
                        pin.thread(),
                        pin.stack(),
                        Optional.empty(),
                        Optional.empty(),
                        pin.lockClass(),
                        pin.ended()))
            .toList());
  }

  /** Adds a row. */
  void add(long start, long duration, int thread, int look, int carrier) {
    int block = size >>> SHIFT;
    if (block == starts.length) {
      starts = Arrays.copyOf(starts, block + 1);
      durations = Arrays.copyOf(durations, block + 1);
      threads = Arrays.copyOf(threads, block + 1);
      looks = Arrays.copyOf(looks, block + 1);
      carriers = Arrays.copyOf(carriers, block + 1);
      starts[block] = new long[MASK + 1];
      durations[block] = new long[MASK + 1];
      threads[block] = new int[MASK + 1];
      looks[block] = new int[MASK + 1];
      carriers[block] = new int[MASK + 1];
    }
    set(size++, start, duration, thread, look, carrier);
  }

  private void set(int row, long start, long duration, int thread, int look, int carrier) {
    int block = row >>> SHIFT;
    int place = row & MASK;
    starts[block][place] = start;
    durations[block][place] = duration;
    threads[block][place] = thread;
    looks[block][place] = look;
    carriers[block][place] = carrier;
  }

  /** Returns the number of a thread, a new one if there is none yet. */
  int thread(ThreadRef thread) {
    return threadNumbers.number(thread);
  }

  /** Returns the number of a carrier, a new one if there is none yet. */
  int carrierNumber(ThreadRef carrier) {
    return carrierNumbers.number(carrier);
  }

  /** Returns the number of a look, a new one if there is none yet. */
  int look(ChunkData.Look look) {
    int stack = stacks.number(look.stack());
    ChunkData.Words words = look.words();
    int label =
        labels.computeIfAbsent(
            List.of(words.kind(), words.reason(), words.operation(), words.lock(), words.ended()),
            l -> labels.size());
    long key = PackedKey.ofLook(label, stack);
    int number = lookNumbers.get(key);
    if (number == LongIntMap.ABSENT) {
      number = allLooks.size();
      lookNumbers.put(key, number);
      allLooks.add(
          new Look(
              stacks.trace(stack),
              words.kind(),
              present(words.reason()),
              present(words.operation()),
              present(words.lock()),
              words.ended()));
    }
    return number;
  }

  private static Optional<String> present(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  /** Replaces the stacks, equal ones by equal ones. */
  void replaceStacks(UnaryOperator<StackTrace> by) {
    allLooks.replaceAll(
        look ->
            new Look(
                by.apply(look.stack),
                look.kind,
                look.pinnedReason,
                look.blockingOperation,
                look.lockClass,
                look.ended));
  }

  /** Removes events of other kinds, on a JDK where only one kind is a pin. */
  void removeAllBut(PinEpisode.Kind kind) {
    int kept = 0;
    for (int row = 0; row < size; row++) {
      if (allLooks.get(look(row)).kind == kind) {
        set(kept++, startNanos(row), durationNanos(row), thread(row), look(row), carrier(row));
      }
    }
    size = kept;
  }

  /** Removes what is outside of a time, and shortens the rest to it. */
  void clip(Span span) {
    int kept = 0;
    for (int row = 0; row < size; row++) {
      if (span.overlaps(startNanos(row), endNanos(row))) {
        long from = Math.max(startNanos(row), span.from());
        long to = Math.min(endNanos(row), span.to());
        set(kept++, from, to - from, thread(row), look(row), carrier(row));
      }
    }
    size = kept;
  }

  /** Returns whether the pins are the same, regardless of their numbers. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PinTable table
        && size == table.size
        && episodes().equals(table.episodes());
  }

  @Override
  public int hashCode() {
    return size;
  }
}
