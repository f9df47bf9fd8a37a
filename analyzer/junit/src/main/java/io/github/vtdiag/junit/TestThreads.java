package io.github.vtdiag.junit;

/**
 * Records which test created which thread. The implementation needs Java 21, so it is loaded by its
 * name.
 */
public interface TestThreads {

  /** Begins a test on this thread. */
  void begin(String test);

  /** Ends the test. */
  void end();
}
