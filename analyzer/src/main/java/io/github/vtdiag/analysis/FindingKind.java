package io.github.vtdiag.analysis;

/**
 * A kind of finding, with what all findings of that kind have in common. Nothing else distinguishes
 * kinds.
 */
public interface FindingKind {
  /** Returns the name in JSON and in baselines; it never changes. */
  String name();

  /** Returns the title in reports, such as {@code waiting for a pool}. */
  String title();

  /** Returns whether only the agent's snapshots of waiting threads show it. */
  default boolean needsSnapshots() {
    return false;
  }

  /** Returns the page of the documentation and the section in it. */
  String page();
}
