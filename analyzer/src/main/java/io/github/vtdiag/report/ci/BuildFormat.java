package io.github.vtdiag.report.ci;

/** A format that a build server reads. The available ones are in {@link BuildFormats}. */
public interface BuildFormat {

  /** Returns the option that names its file. */
  String option();

  /** Returns the description for a help text. */
  String description();

  /** Returns whether it may also go to standard output, because it is read from there. */
  default boolean isPrinted() {
    return false;
  }

  /** Returns the whole content of a file. */
  String write(BuildReport report);
}
