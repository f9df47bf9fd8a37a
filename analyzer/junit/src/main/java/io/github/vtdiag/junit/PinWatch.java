package io.github.vtdiag.junit;

import java.util.function.Consumer;

/**
 * Watches the pins of one run of tests. The implementation needs Java 21, so it is loaded by its
 * name.
 */
public interface PinWatch {
  /** The parameter for pins of no known test: {@code report, fail}. */
  String UNKNOWN = "vtdiag.junit.unknown";

  /**
   * Begins a test on this thread.
   *
   * @return the argument for {@link #end}
   * @throws IllegalArgumentException if the demand makes no sense; the message says what does
   */
  Object begin(Demand demand);

  /**
   * Ends the test that began as {@code test} on this thread.
   *
   * @param notes is told what was seen and cannot be attributed to the test
   * @return why it fails; null if it does not
   */
  String end(Object test, Consumer<String> notes);

  /** Returns the place of a test in its source file; build tools print the line. */
  StackTraceElement place(Class<?> type, String method);

  /**
   * Ends the run.
   *
   * @param unknownFails whether the run fails if there are pins of no known test
   * @param notes is told of pins that are no test's, or came when their test was over
   * @return why the run fails; null if it does not
   */
  String close(boolean unknownFails, Consumer<String> notes);
}
