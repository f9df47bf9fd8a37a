package io.github.vtdiag.report.words;

/** The amount of detail in a report. Formats for programs are always complete. */
public enum Detail {
  /** The answer and the reason. */
  BRIEF,
  /** All that is known, including short and harmless pins. */
  FULL
}
