package io.github.vtdiag.junit;

/**
 * Knows which thread was created by which test. What does it needs Java 21, so it is loaded by its
 * name.
 */
public interface TestThreads {

  /** A test begins on this thread. */
  void begin(String test);

  /** It is over. */
  void end();
}
