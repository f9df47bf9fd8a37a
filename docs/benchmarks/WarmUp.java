import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** Waits until the JIT compilers have hardly anything to do: before that a benchmark measures them. */
class WarmUp {
  private static final int LEAST_SECONDS = 4;
  private static final int MOST_SECONDS = 30;

  /** Of a second, what they may still take. */
  private static final long REST_MILLIS = 20;

  private WarmUp() {}

  static void await() throws InterruptedException {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    long before = compilers.getTotalCompilationTime();
    for (int second = 1; second <= MOST_SECONDS; second++) {
      Thread.sleep(1_000);
      long now = compilers.getTotalCompilationTime();
      if (second >= LEAST_SECONDS && now - before <= REST_MILLIS) {
        return;
      }
      before = now;
    }
  }
}
