package io.github.vtdiag.analysis;

import io.github.vtdiag.recording.RecordingFacts;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * What pins held of the carriers at the moments at which threads waited for one. Little of them
 * means that something else did: pins that never ended, which are in no recording, or work.
 */
final class Shortage {
  private double sum;
  private long moments;

  /** Counts the moments of a recording. */
  void add(Attributed recorded) {
    RecordingFacts facts = recorded.facts();
    for (double share : shares(recorded, moments(facts.shortAt().stream()))) {
      sum += share;
      moments++;
    }
  }

  /** Moments as {@link #shares} takes them. */
  static long[] moments(Stream<Long> nanos) {
    return nanos.mapToLong(Long::longValue).sorted().toArray();
  }

  /**
   * The part of the carriers that pins held at some moments; none if the number of carriers is not
   * known.
   */
  static double[] shares(Attributed recorded, long[] at) {
    OptionalInt carriers = recorded.facts().carriers();
    if (carriers.isEmpty() || at.length == 0) {
      return new double[0];
    }
    // How many more pins there are at a moment than at the one before.
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
