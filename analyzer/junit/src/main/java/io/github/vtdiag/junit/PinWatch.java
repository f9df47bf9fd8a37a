package io.github.vtdiag.junit;

import java.util.function.Consumer;

/**
 * Watches the pins of one run of tests. What does it needs Java 21, so it is loaded by its name.
 */
public interface PinWatch {
  /** The parameter that says what pins of no test that is known mean: {@code report, fail}. */
  String UNKNOWN = "vtdiag.junit.unknown";

  /**
   * A test begins on this thread.
   *
   * @return what {@link #end} takes
   * @throws IllegalArgumentException if the demand makes no sense; the message says what does
   */
  Object begin(Demand demand);

  /**
   * The test that began as {@code test} on this thread is over.
   *
   * @param notes is told what was seen and cannot be put down to the test
   * @return why it fails; null if it does not
   */
  String end(Object test, Consumer<String> notes);

  /**
   * No test comes any more.
   *
   * @param unknownFails whether the run fails if there are pins of no test that is known
   * @param notes is told of pins that are no test's, or came when their test was over
   * @return why the run fails; null if it does not
   */
  String close(boolean unknownFails, Consumer<String> notes);
}
