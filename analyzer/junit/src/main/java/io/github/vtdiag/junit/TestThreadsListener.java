package io.github.vtdiag.junit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Reports the thread of every test, also of tests without a demand: otherwise their pins would seem
 * to be those of the tests beside them. JUnit calls this on the thread of the test.
 */
public final class TestThreadsListener implements TestExecutionListener {
  private final TestThreads threads = load();

  /**
   * The threads of the running tests, by the test's id. JUnit reports a test of a failed container
   * from another thread.
   */
  private final ConcurrentMap<String, Thread> running = new ConcurrentHashMap<>();

  @Override
  public void executionStarted(TestIdentifier test) {
    if (threads != null && test.isTest()) {
      running.put(test.getUniqueId(), Thread.currentThread());
      threads.begin(name(test));
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (threads != null && running.remove(test.getUniqueId(), Thread.currentThread())) {
      threads.end();
    }
  }

  /** Returns the name as failures have it: several classes may have a test of one name. */
  private static String name(TestIdentifier test) {
    String display = test.getDisplayName();
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast)
        .map(source -> TestNames.of(source.getClassName(), source.getMethodName(), display))
        .orElse(display);
  }

  private static TestThreads load() {
    try {
      return Class.forName(
              "io.github.vtdiag.junit.inside.Scopes",
              true,
              TestThreadsListener.class.getClassLoader())
          .asSubclass(TestThreads.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      // An older Java, which has no virtual threads.
      return null;
    }
  }
}
