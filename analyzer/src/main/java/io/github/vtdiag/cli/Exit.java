package io.github.vtdiag.cli;

/** The exit codes. */
final class Exit {
  /** Fine, or PASS. */
  static final int OK = 0;

  /** The gate says FAIL. */
  static final int FAIL = 1;

  static final int USAGE = 2;

  /** Bad or unreadable input. */
  static final int BAD_INPUT = 3;

  /** The gate says NO_DATA. */
  static final int NO_DATA = 4;

  /** A bug in vtdiag; {@code EX_SOFTWARE} of sysexits.h. */
  static final int INTERNAL = 70;

  private Exit() {}
}
