package io.github.vtdiag.watch;

import java.util.List;
import java.util.OptionalInt;

/**
 * What is known of a carrier without a snapshot of it. {@code ThreadMXBean.getThreadInfo(long)}
 * reads the carrier's stack while it runs, and ends the JVM if a virtual thread leaves it in that
 * moment (JDK-8392031): nobody who watches may call it.
 */
public interface CarrierStates {
  /** Whether the carrier may want a processor now, which it has or has not. */
  boolean mayWantProcessor(Thread carrier);

  /** Whether the carrier runs native code now. */
  boolean isInNative(Thread carrier);

  /** How many of these run native code now; empty if asking again so soon would cost too much. */
  OptionalInt inNative(List<Thread> carriers);

  /**
   * Whether the carrier reads from a pipe other than standard input now, as far as that is seen.
   */
  boolean readsPipe(Thread carrier);

  /**
   * A number that is the same as long as a carrier that waits stays in that wait.
   *
   * @param state BLOCKED, WAITING or TIMED_WAITING
   */
  long waitNumber(Thread carrier, Thread.State state);
}
