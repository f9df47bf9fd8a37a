package io.github.vtdiag.report.ci;

/** A format that a build server reads. Those there are stand in {@link BuildFormats}. */
public interface BuildFormat {

  /** The option that names its file. */
  String option();

  /** What it is, for a help text. */
  String description();

  /** Whether it may also go to standard output, because it is read from there. */
  default boolean isPrinted() {
    return false;
  }

  /** All of a file. */
  String write(BuildReport report);
}
