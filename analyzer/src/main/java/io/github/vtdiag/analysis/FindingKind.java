package io.github.vtdiag.analysis;

/** What all findings of one kind have in common: the one place that tells one kind from another. */
public interface FindingKind {
  /** Its name in JSON and in baselines; never changes. */
  String name();

  /** What it is called in reports, such as {@code waiting for a pool}. */
  String title();

  /** Whether only the agent's snapshots of waiting threads tell of it. */
  default boolean needsSnapshots() {
    return false;
  }

  /** The page of the documentation and the section in it. */
  String page();
}
