package io.github.vtdiag.findings;

/** The part of a wait for a lock in the deadlock in which the recording ends. */
public enum DeadlockRole {
  /** Nothing, or there is no deadlock. */
  NO(""),
  /** The lock may be one of the deadlock: nothing shows its owner. */
  PERHAPS(
      "No thread got it any more, and the recording ends in a deadlock, whose threads may hold it."
          + " Break the deadlock first: "),
  /** The owner of the lock is in the deadlock. */
  OWNER("Its owner is in the deadlock, and never releases it. Break the deadlock: "),
  /** The waiting threads are. */
  THREADS("These threads are in the deadlock. Break it: ");

  /** Ends a deadlock of locks. */
  public static final String BREAK =
      "take its locks in the same order everywhere, or release the one before asking for the other";

  private final String state;

  DeadlockRole(String state) {
    this.state = state;
  }

  String advice() {
    return state + BREAK + ".";
  }

  static DeadlockRole worse(DeadlockRole one, DeadlockRole other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
