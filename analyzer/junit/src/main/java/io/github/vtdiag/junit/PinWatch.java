package io.github.vtdiag.junit;

import java.util.function.Consumer;

/**
 * Watches the pins of one run of tests. What does it needs Java 21, so it is loaded by its name.
 */
public interface PinWatch {

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
   * @param notes is told of pins that are no test's, or came when their test was over
   */
  void close(Consumer<String> notes);
}
