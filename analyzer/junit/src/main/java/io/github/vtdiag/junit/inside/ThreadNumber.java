package io.github.vtdiag.junit.inside;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The numbers of threads. Each new thread, started or not, draws the next one. */
final class ThreadNumber {
  private static final Collection<Long> OTHERS = new ConcurrentLinkedQueue<>();

  private ThreadNumber() {}

  /** Draws a number that no thread of the program will have. */
  static long next() {
    // It inherits nothing: a thread that does would draw numbers without end.
    return new Thread(null, ThreadNumber::nothing, "", 0, false).threadId();
  }

  /** Draws a number that nothing else remembers. */
  static long remembered() {
    long number = next();
    OTHERS.add(number);
    return number;
  }

  static Collection<Long> others() {
    return OTHERS;
  }

  private static void nothing() {}
}
