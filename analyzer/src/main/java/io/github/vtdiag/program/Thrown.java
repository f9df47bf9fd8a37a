package io.github.vtdiag.program;

/** The exceptions with which waits end, as methods declare them. */
public enum Thrown {
  /** {@code InterruptedException}. */
  INTERRUPTED(CallScan.INTERRUPTIBLE),
  /** {@code IOException}, or one of the network's. */
  INPUT_OUTPUT(CallScan.INPUT_OUTPUT),
  /** {@code SQLException}. */
  SQL(CallScan.SQL);

  final int flag;

  Thrown(int flag) {
    this.flag = flag;
  }
}
