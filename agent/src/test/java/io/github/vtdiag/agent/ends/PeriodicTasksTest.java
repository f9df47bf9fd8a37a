package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.threads.CasesRun;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PeriodicTasksTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aTaskThatComesAgainIsAwaitedAsLongAsItDoes(Jdk jdk) throws Exception {
    assertEquals(
        List.of(
            "nothing: in vain",
            "a task that nobody runs: in vain",
            "a task that comes once: in vain",
            "a periodic task that was dropped: in vain",
            "a periodic task that is stuck: in vain",
            "a periodic task that is due in an hour: goes on"),
        CasesRun.lines(jdk, folder, Cases.class));
  }

  /** Prints whether a wait of 100 ms for each was in vain. */
  static final class Cases {
    private static final long WAITED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Cases() {}

    public static void main(String[] args) throws InterruptedException {
      ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
      ScheduledThreadPoolExecutor other = new ScheduledThreadPoolExecutor(1);
      CountDownLatch begun = new CountDownLatch(1);
      ScheduledFuture<?> stuck =
          timer.scheduleAtFixedRate(
              () -> {
                begun.countDown();
                waitForEver();
              },
              0,
              1,
              TimeUnit.HOURS);
      begun.await();
      while (stuck.getDelay(TimeUnit.NANOSECONDS) > -WAITED_NANOS) {
        Thread.sleep(5);
      }
      ScheduledFuture<?> dropped = other.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
      other.shutdownNow();
      print("nothing", null);
      print("a task that nobody runs", new FutureTask<>(() -> 1));
      print("a task that comes once", timer.schedule(() -> {}, 1, TimeUnit.HOURS));
      print("a periodic task that was dropped", dropped);
      print("a periodic task that is stuck", stuck);
      print(
          "a periodic task that is due in an hour",
          timer.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.HOURS));
      System.exit(0);
    }

    private static void waitForEver() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private static void print(String what, Object task) {
      boolean inVain = new PeriodicTasks().inVain(task, WAITED_NANOS) == WAITED_NANOS;
      System.out.println(what + ": " + (inVain ? "in vain" : "goes on"));
    }
  }
}
