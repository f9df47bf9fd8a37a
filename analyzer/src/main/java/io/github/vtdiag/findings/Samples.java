package io.github.vtdiag.findings;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The samples of virtual threads on their carriers, by number in the order of time. */
final class Samples {
  /** The number of square roots of a count by which it is off at most, in 19 of 20 cases. */
  private static final double TWICE = 2;

  final ThreadEvent event;
  final long periodNanos;
  private final EventTable events;

  /** The row of each sample. */
  private final int[] rows;

  /** A number for each of the table's threads; all names of a thread have the same one. */
  private final int[] threadNumbers;

  private final double carrierNanosOfOne;

  private Samples(
      ThreadEvent event,
      long periodNanos,
      EventTable events,
      int[] rows,
      double carrierNanosOfOne) {
    this.event = event;
    this.periodNanos = periodNanos;
    this.events = events;
    this.rows = rows;
    Map<Long, Integer> numbers = new HashMap<>();
    threadNumbers =
        events.threads().stream()
            .mapToInt(thread -> numbers.computeIfAbsent(thread.id(), id -> numbers.size()))
            .toArray();
    this.carrierNanosOfOne = carrierNanosOfOne;
  }

  /** Returns the samples of threads that ran Java code. */
  static Samples java(RecordingData data, Account account) {
    return of(data, ThreadEvent.EXECUTION_SAMPLE, account, Use.JAVA);
  }

  /** Returns the samples of threads in native code. */
  static Samples inNative(RecordingData data, Account account) {
    return of(data, ThreadEvent.NATIVE_SAMPLE, account, Use.NATIVE);
  }

  private static Samples of(RecordingData data, ThreadEvent event, Account account, Use use) {
    int[] rows = rows(data.events(), event);
    long period =
        Optional.ofNullable(data.facts().settings().get(event.eventName()))
            .filter(EventSetting::enabled)
            .map(EventSetting::periodNanos)
            .orElse(0L);
    // The sampler takes few threads at a time, and none while it has no processor itself. The
    // account is closer to the truth. File I/O has native samples, too.
    double counted =
        use == Use.NATIVE
            ? account.share(Use.NATIVE).nanos() + account.share(Use.FILE).nanos()
            : account.share(use).nanos();
    double each = rows.length == 0 ? 0 : Math.max((double) period, counted / rows.length);
    return new Samples(event, period, data.events(), rows, each);
  }

  private static int[] rows(EventTable events, ThreadEvent event) {
    int count = 0;
    int[] rows = new int[16];
    boolean sorted = true;
    for (int row = 0; row < events.size(); row++) {
      if (events.event(row) == event) {
        if (count == rows.length) {
          rows = Arrays.copyOf(rows, count * 2);
        }
        sorted &= count == 0 || events.startNanos(rows[count - 1]) <= events.startNanos(row);
        rows[count++] = row;
      }
    }
    rows = Arrays.copyOf(rows, count);
    return sorted ? rows : sorted(rows, events);
  }

  /**
   * Sorts rows by time. The keys are numbers: times, with the place of each row in the low bits.
   */
  private static int[] sorted(int[] rows, EventTable events) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int row : rows) {
      first = Math.min(first, events.startNanos(row));
      last = Math.max(last, events.startNanos(row));
    }
    int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(rows.length);
    int timeBits = Long.SIZE - Long.numberOfLeadingZeros(last - first);
    // Dropped low bits are less than a microsecond for millions of samples in a day.
    int leftOut = Math.max(0, timeBits + placeBits - (Long.SIZE - 1));
    long[] keys = new long[rows.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (events.startNanos(rows[i]) - first) >>> leftOut << placeBits | i;
    }
    Arrays.sort(keys);
    int[] sorted = new int[rows.length];
    for (int i = 0; i < keys.length; i++) {
      sorted[i] = rows[(int) (keys[i] & (1L << placeBits) - 1)];
    }
    return sorted;
  }

  int size() {
    return rows.length;
  }

  /** Returns when a sample was taken, in nanoseconds since the epoch. */
  long atNanos(int sample) {
    return events.startNanos(rows[sample]);
  }

  /** Returns the id of a sample's thread. */
  long thread(int sample) {
    return events.threads().get(events.thread(rows[sample])).id();
  }

  /** Returns the number of a sample's thread. */
  int threadNumber(int sample) {
    return threadNumbers[events.thread(rows[sample])];
  }

  /** Returns an upper bound: all thread numbers are lower. */
  int threads() {
    return threadNumbers.length;
  }

  /** Returns the number of a sample's look. */
  int look(int sample) {
    return events.look(rows[sample]);
  }

  StackTrace stack(int look) {
    return events.looks().get(look).stack();
  }

  /** Returns the number of samples with this look. */
  long count(int look) {
    return events.count(look);
  }

  /** Returns the numbers of all looks that have samples. */
  int[] looks() {
    return IntStream.range(0, events.looks().size())
        .filter(look -> events.looks().get(look).event() == event && events.count(look) > 0)
        .toArray();
  }

  /** Returns the carrier time that this number of samples stands for. */
  double carrierNanos(long samples) {
    return samples * carrierNanosOfOne;
  }

  /** Returns the least carrier time that they stand for: a few samples may be chance. */
  double leastCarrierNanos(long samples) {
    return carrierNanos(samples) * Math.max(0, 1 - TWICE / Math.sqrt((double) samples));
  }
}
