package io.github.vtdiag.analysis;

import io.github.vtdiag.recording.RecordingFacts;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The part of the carriers that pins held at the moments at which threads were queued. A small part
 * means that something else held them: pins that never ended, which are in no recording, or running
 * threads.
 */
final class Shortage {
  private double sum;
  private long moments;

  /** Adds the moments of a recording. */
  void add(Attributed recorded) {
    RecordingFacts facts = recorded.facts();
    for (double share : shares(recorded, moments(facts.shortAt().stream()))) {
      sum += share;
      moments++;
    }
  }

  /** Returns moments in the form that {@link #shares} takes. */
  static long[] moments(Stream<Long> nanos) {
    return nanos.mapToLong(Long::longValue).sorted().toArray();
  }

  /**
   * Returns the part of the carriers that pins held at each moment; empty if the number of carriers
   * is not known.
   */
  static double[] shares(Attributed recorded, long[] at) {
    OptionalInt carriers = recorded.facts().carriers();
    if (carriers.isEmpty() || at.length == 0) {
      return new double[0];
    }
    // The change in the number of pins from one moment to the next.
    int[] changes = new int[at.length + 1];
    for (PinGroup alike : recorded.alike()) {
      int count = Math.toIntExact(alike.count());
      long[] starts = new long[count];
      long[] durations = new long[count];
      alike.copyStarts(starts, 0);
      alike.copyDurations(durations, 0);
      for (int pin = 0; pin < count; pin++) {
        changes[firstFrom(at, starts[pin])]++;
        changes[firstFrom(at, starts[pin] + durations[pin])]--;
      }
    }
    int pins = 0;
    double[] shares = new double[at.length];
    for (int moment = 0; moment < at.length; moment++) {
      pins += changes[moment];
      shares[moment] = Math.min(1, (double) pins / carriers.getAsInt());
    }
    return shares;
  }

  private static int firstFrom(long[] moments, long nanos) {
    int found = Arrays.binarySearch(moments, nanos);
    return found >= 0 ? found : -found - 1;
  }

  OptionalDouble pinned() {
    return moments == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / moments);
  }
}
