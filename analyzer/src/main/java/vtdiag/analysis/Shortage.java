package vtdiag.analysis;

import java.util.Arrays;
import java.util.OptionalDouble;
import vtdiag.recording.RecordingFacts;

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
    if (facts.parallelism().isEmpty() || facts.shortAt().isEmpty()) {
      return;
    }
    long[] at = facts.shortAt().stream().mapToLong(Long::longValue).sorted().toArray();
    // How many more pins there are at a moment than at the one before.
    int[] changes = new int[at.length + 1];
    for (Alike alike : recorded.alike()) {
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
    for (int moment = 0; moment < at.length; moment++) {
      pins += changes[moment];
      sum += Math.min(1, (double) pins / facts.parallelism().getAsInt());
    }
    moments += at.length;
  }

  private static int firstFrom(long[] moments, long nanos) {
    int found = Arrays.binarySearch(moments, nanos);
    return found >= 0 ? found : -found - 1;
  }

  OptionalDouble pinned() {
    return moments == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / moments);
  }
}
