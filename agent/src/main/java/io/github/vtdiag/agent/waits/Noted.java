package io.github.vtdiag.agent.waits;

/** From when on the JVM notes the mounts of virtual threads, and the threads that fail. */
public enum Noted {
  NEVER,
  /** Virtual threads had been made before: those that failed by then were not seen to fail. */
  LATE,
  FROM_THE_FIRST;

  /** Returns whether the JVM notes them at all. */
  public boolean isHooked() {
    return this != NEVER;
  }
}
