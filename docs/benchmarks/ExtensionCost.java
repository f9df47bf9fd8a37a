import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * A suite of 200 tests, each of which waits for 50 virtual threads for 30 ms: long enough to be
 * looked at.
 */
public class ExtensionCost {
  static final int TESTS = 200;

  @RepeatedTest(TESTS)
  void threadsWait() throws Exception {
    Thread[] threads = new Thread[50];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          Thread.startVirtualThread(
              () -> {
                try {
                  Thread.sleep(30);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Prints how long the tests took, and the processor time of the whole JVM, in nanoseconds. */
  public static void main(String[] args) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    long begin = System.nanoTime();
    try (LauncherSession session = LauncherFactory.openSession()) {
      session
          .getLauncher()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectClass(ExtensionCost.class))
                  .build(),
              summary);
    }
    long wall = System.nanoTime() - begin;
    long processor = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    System.out.println(
        summary.getSummary().getTestsSucceededCount() + " " + wall + " " + processor);
  }
}
