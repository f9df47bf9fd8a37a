package io.github.vtdiag.report.words;

/** How much is said. Formats for programs are always complete. */
public enum Detail {
  /** The answer, and why. */
  BRIEF,
  /** All that is known, what is short and harmless too. */
  FULL
}
