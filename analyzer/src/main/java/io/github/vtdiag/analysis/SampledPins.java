package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.MonitorSample.HolderFrame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Finds the pins during which the agent sampled monitors. */
final class SampledPins {
  /**
   * The longest time between a sample and the start of its pin's event. The agent samples as the
   * thread parks, a moment before the event's clock starts. That moment depends on the machine; the
   * frames have to match as well.
   */
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private SampledPins() {}

  /** The samples of one thread, from which those of its pins are taken in the order of time. */
  private static final class OfThread {
    private final List<MonitorSample> samples = new ArrayList<>();
    private final BitSet taken = new BitSet();

    /** The first sample that is not too early for the pins that follow. */
    private int first;

    List<MonitorSample> take(long from, long to, StackTrace stack) {
      while (first < samples.size() && samples.get(first).atNanos() < from) {
        first++;
      }
      List<MonitorSample> fitting = new ArrayList<>();
      for (int i = first; i < samples.size() && samples.get(i).atNanos() <= to; i++) {
        if (!taken.get(i) && fits(samples.get(i), stack)) {
          taken.set(i);
          fitting.add(samples.get(i));
        }
      }
      return fitting;
    }
  }

  /**
   * Returns the samples by the rows of the pins that have any. A sample belongs to one pin only.
   */
  static Map<Integer, List<MonitorSample>> of(RecordingData data) {
    Map<Long, OfThread> byThread = new HashMap<>();
    for (MonitorSample sample : data.samples()) {
      byThread.computeIfAbsent(sample.threadId(), id -> new OfThread()).samples.add(sample);
    }
    byThread
        .values()
        .forEach(of -> of.samples.sort(Comparator.comparingLong(MonitorSample::atNanos)));
    Map<Integer, List<MonitorSample>> sampled = new LinkedHashMap<>();
    if (byThread.isEmpty()) {
      return sampled;
    }
    PinTable pins = data.pins();
    boolean[] watched = new boolean[pins.threads().size()];
    for (int thread = 0; thread < watched.length; thread++) {
      watched[thread] = byThread.containsKey(pins.threads().get(thread).id());
    }
    List<Integer> rows =
        IntStream.range(0, pins.size())
            .filter(row -> watched[pins.thread(row)])
            .boxed()
            .sorted(Comparator.comparingLong(pins::startNanos))
            .toList();
    for (int row : rows) {
      OfThread ofThread = byThread.get(pins.threads().get(pins.thread(row)).id());
      List<MonitorSample> taken =
          ofThread.take(
              pins.startNanos(row) - LEAD_NANOS,
              pins.endNanos(row),
              pins.looks().get(pins.look(row)).stack());
      if (!taken.isEmpty()) {
        sampled.put(row, taken);
      }
    }
    return sampled;
  }

  /**
   * Returns whether every frame of the sample is on the stack: otherwise it is from the pin before.
   */
  private static boolean fits(MonitorSample sample, StackTrace stack) {
    return !sample.frames().isEmpty()
        && sample.frames().stream()
            .allMatch(
                holder ->
                    stack.truncated() || stack.frames().stream().anyMatch(f -> fits(holder, f)));
  }

  private static boolean fits(HolderFrame holder, Frame frame) {
    return holder.bci() == frame.bci() && frame.is(holder.className(), holder.method());
  }
}
