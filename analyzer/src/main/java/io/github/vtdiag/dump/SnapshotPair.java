package io.github.vtdiag.dump;

import io.github.vtdiag.hang.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Two snapshots of a JVM.
 *
 * @param processId of the JVM; empty if the dumps do not tell
 * @param version of the Java that ran
 * @param before the first snapshot
 * @param after the second; the same where there was only one
 * @param apart the nanoseconds between them; empty for a single snapshot
 * @param heap whether it is a heap dump, for which all threads were stopped
 * @param limits what could not be seen, so that the absence of problems proves nothing, a sentence
 *     each
 * @param hints what would tell more
 */
public record SnapshotPair(
    String processId,
    String version,
    Snapshot before,
    Snapshot after,
    OptionalLong apart,
    boolean heap,
    List<String> limits,
    List<String> hints) {
  public SnapshotPair {
    limits = List.copyOf(limits);
    hints = List.copyOf(hints);
  }

  /** Returns the same with one more limit. */
  SnapshotPair with(String limit) {
    List<String> all = new ArrayList<>(limits);
    all.add(limit);
    return new SnapshotPair(processId, version, before, after, apart, heap, all, hints);
  }

  /** Returns the feature number of the Java that ran; 0 if it is not known. */
  public int feature() {
    return feature(version);
  }

  static int feature(String version) {
    String digits = version.split("\\D", 2)[0];
    return digits.isEmpty() || digits.length() > 4 ? 0 : Integer.parseInt(digits);
  }
}
