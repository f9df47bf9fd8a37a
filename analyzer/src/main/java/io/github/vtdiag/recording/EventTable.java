package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.LongIntMap;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.ChunkData.DecodedStack;
import io.github.vtdiag.recording.TimeRange.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The events of virtual threads besides their pins. An {@link EventSelection} chooses the details:
 * events with the same properties are counted together, and may have a row each.
 */
public final class EventTable {
  /**
   * The properties that events share.
   *
   * @param stack equal stacks are one object, also those of the {@link PinTable}
   * @param text the text of the event; see {@link ThreadEvent}
   */
  public record Look(ThreadEvent event, StackTrace stack, String text) {}

  private static final int SHIFT = 13;

  private static final int MASK = (1 << SHIFT) - 1;

  /** The columns of some rows; a column that few events need is null until one does. */
  private static final class Block {
    final long[] starts = new long[MASK + 1];
    final int[] threads = new int[MASK + 1];
    final int[] looks = new int[MASK + 1];
    long[] durations;
    long[] numbers;
  }

  /** The number of rows. */
  private int size;

  private final List<Block> blocks = new ArrayList<>();
  private final ThreadNumbers threadNumbers = new ThreadNumbers();
  private final List<Look> allLooks = new ArrayList<>();
  // The totals of each look, over all of its events with or without a row.
  private long[] counts = new long[64];
  private long[] sums = new long[64];

  // The numbers of existing entries.
  private final Stacks stacks;
  private final EventLabels labels = new EventLabels();
  private final LongIntMap lookNumbers = new LongIntMap();

  /** Creates an empty table. */
  public EventTable() {
    this(new Stacks());
  }

  EventTable(Stacks stacks) {
    this.stacks = stacks;
  }

  public int size() {
    return size;
  }

  public ThreadEvent event(int row) {
    return allLooks.get(look(row)).event;
  }

  /** Returns when an event began, in nanoseconds since the epoch. */
  public long startNanos(int row) {
    return block(row).starts[row & MASK];
  }

  public long durationNanos(int row) {
    long[] durations = block(row).durations;
    return durations == null ? 0 : durations[row & MASK];
  }

  public long endNanos(int row) {
    return startNanos(row) + durationNanos(row);
  }

  /** Returns the number of an event's thread. */
  public int thread(int row) {
    return block(row).threads[row & MASK];
  }

  /** Returns the number of an event's look. */
  public int look(int row) {
    return block(row).looks[row & MASK];
  }

  /** Returns the number that the event carries; see {@link ThreadEvent}. */
  public long number(int row) {
    long[] numbers = block(row).numbers;
    return numbers == null ? 0 : numbers[row & MASK];
  }

  /** Returns the threads by number. One thread has several numbers if it was renamed. */
  public List<ThreadRef> threads() {
    return threadNumbers.all();
  }

  /** Returns the looks by number; some may have no events. */
  public List<Look> looks() {
    return allLooks;
  }

  /** Returns the number of events with this look. */
  public long count(int look) {
    return counts[look];
  }

  /** Returns the sum of the numbers that events of this look carry; see {@link ThreadEvent}. */
  public long sum(int look) {
    return sums[look];
  }

  private Block block(int row) {
    return blocks.get(row >>> SHIFT);
  }

  /** Counts events of this look, whether they have rows or not. */
  public void count(int look, long count, long sum) {
    counts[look] += count;
    sums[look] += sum;
  }

  /** Adds the row of an event that was counted. */
  void addRow(long start, long duration, int thread, int look, long number) {
    if (size >>> SHIFT == blocks.size()) {
      blocks.add(new Block());
    }
    set(size++, start, duration, thread, look, number);
  }

  private void set(int row, long start, long duration, int thread, int look, long number) {
    Block block = block(row);
    int place = row & MASK;
    block.starts[place] = start;
    block.threads[place] = thread;
    block.looks[place] = look;
    if (duration != 0 && block.durations == null) {
      block.durations = new long[MASK + 1];
    }
    if (block.durations != null) {
      block.durations[place] = duration;
    }
    if (number != 0 && block.numbers == null) {
      block.numbers = new long[MASK + 1];
    }
    if (block.numbers != null) {
      block.numbers[place] = number;
    }
  }

  /** Returns the number of a thread, a new one if there is none yet. */
  public int thread(ThreadRef thread) {
    return threadNumbers.number(thread);
  }

  /** Returns the number of a look, a new one if there is none yet. */
  int look(ThreadEvent event, DecodedStack decoded, String text) {
    int stack = stacks.number(decoded);
    long key = PackedKey.ofLook(labels.number(event, text), stack);
    int number = lookNumbers.get(key);
    if (number == LongIntMap.ABSENT) {
      number = allLooks.size();
      lookNumbers.put(key, number);
      if (number == counts.length) {
        counts = Arrays.copyOf(counts, number * 2);
        sums = Arrays.copyOf(sums, number * 2);
      }
      allLooks.add(new Look(event, stacks.trace(stack), text));
    }
    return number;
  }

  /** Replaces the stacks, equal ones by equal ones. */
  void replaceStacks(UnaryOperator<StackTrace> by) {
    allLooks.replaceAll(look -> new Look(look.event, by.apply(look.stack), look.text));
  }

  /** Removes what is outside of a time, and shortens the rest to it. Each event needs a row. */
  void clip(Span span) {
    int kept = 0;
    Arrays.fill(counts, 0);
    Arrays.fill(sums, 0);
    for (int row = 0; row < size; row++) {
      if (span.overlaps(startNanos(row), endNanos(row))) {
        long from = Math.max(startNanos(row), span.from());
        long to = Math.min(endNanos(row), span.to());
        set(kept++, from, to - from, thread(row), look(row), number(row));
        count(look(kept - 1), 1, number(kept - 1));
      }
    }
    size = kept;
  }

  /** An event as a value. */
  private record Value(
      Look look, long startNanos, long durationNanos, ThreadRef thread, long number) {}

  private List<Value> values() {
    return IntStream.range(0, size)
        .mapToObj(
            row ->
                new Value(
                    allLooks.get(look(row)),
                    startNanos(row),
                    durationNanos(row),
                    threads().get(thread(row)),
                    number(row)))
        .sorted(Comparator.comparingLong(Value::startNanos).thenComparing(v -> v.look.event))
        .toList();
  }

  /** Returns whether the events are the same, regardless of their numbers. */
  @Override
  public boolean equals(Object other) {
    return other instanceof EventTable table
        && size == table.size
        && values().equals(table.values());
  }

  @Override
  public int hashCode() {
    return size;
  }
}
