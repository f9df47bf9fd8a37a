package io.github.vtdiag.watch;

import java.util.List;
import java.util.OptionalInt;

/**
 * The state of carriers without a snapshot of them. {@code ThreadMXBean.getThreadInfo(long)} reads
 * the carrier's stack while it runs, and crashes the JVM if a virtual thread unmounts at that
 * moment (JDK-8392031): no code that watches carriers may call it.
 */
public interface CarrierStates extends AutoCloseable {
  /** Returns whether the carrier may want a processor now; it has one, or waits for one. */
  boolean mayWantProcessor(Thread carrier);

  /** Returns whether the carrier runs native code now. */
  boolean isInNative(Thread carrier);

  /**
   * Returns how many of these run native code now; empty if asking again so soon would cost too
   * much.
   */
  OptionalInt inNative(List<Thread> carriers);

  /**
   * Returns whether the carrier reads from a pipe other than standard input now, as far as can be
   * seen.
   */
  boolean readsPipe(Thread carrier);

  /**
   * Returns a number that is the same as long as a waiting carrier stays in the same wait.
   *
   * @param state BLOCKED, WAITING or TIMED_WAITING
   */
  long waitNumber(Thread carrier, Thread.State state);

  /**
   * Returns how often the carrier was given a processor; always the same if that is unknown.
   *
   * <p>A thread that reads a file is given none until something has come.
   */
  default long runs(Thread carrier) {
    return 0;
  }

  /**
   * Returns the file from which a thread waits to read, as the number by which this process has it
   * open; empty if it waits for something else, or has set a timeout.
   */
  default OptionalInt reads(Thread thread) {
    return OptionalInt.empty();
  }

  /** Closes what answers need; the next question opens it again. */
  @Override
  void close();
}
