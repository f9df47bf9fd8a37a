package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.threads.CasesRun;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.waits.LongWait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TimeoutsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aTimeoutOfAYearOrMoreIsNone(Jdk jdk) throws Exception {
    assertEquals(
        List.of(
            "a park for a day: TIMED_WAITING",
            "a sleep for ever: TIMED_WAITING",
            "one of two parks for a day: TIMED_WAITING",
            "no thread that is known: TIMED_WAITING",
            "a park without a timeout: WAITING",
            "a park for ever: WAITING",
            "a poll for ever: WAITING",
            "two parks for ever: WAITING"),
        CasesRun.lines(jdk, folder, Cases.class));
  }

  private interface Body {
    void run() throws InterruptedException;
  }

  /** Prints how threads wait, as they are recorded. */
  static final class Cases {
    private static final BlockingQueue<String> QUEUE = new LinkedBlockingQueue<>();

    private Cases() {}

    public static void main(String[] args) throws InterruptedException {
      Body day = () -> LockSupport.parkNanos(TimeUnit.DAYS.toNanos(1));
      Body ever = () -> LockSupport.parkNanos(Long.MAX_VALUE);
      print("a park for a day", start(day));
      print("a sleep for ever", start(() -> Thread.sleep(Duration.ofDays(10_000))));
      print("one of two parks for a day", start(ever), start(day));
      print("no thread that is known");
      print("a park without a timeout", start(LockSupport::park));
      print("a park for ever", start(ever));
      print("a poll for ever", start(() -> QUEUE.poll(Long.MAX_VALUE, TimeUnit.DAYS)));
      print("two parks for ever", start(ever), start(ever));
      System.exit(0);
    }

    private static Thread start(Body wait) throws InterruptedException {
      Thread thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      wait.run();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      while (thread.getState() != Thread.State.TIMED_WAITING
          && thread.getState() != Thread.State.WAITING) {
        Thread.sleep(5);
      }
      return thread;
    }

    private static void print(String what, Thread... threads) {
      WaitGroup group =
          new WaitGroup(
              threads.length == 0 ? List.of() : List.of(threads[0].getStackTrace()),
              threads.length == 0 ? Thread.State.TIMED_WAITING : threads[0].getState(),
              "",
              0,
              threads.length,
              0,
              false,
              TimeUnit.SECONDS.toNanos(10),
              false,
              LongWait.Wakers.NONE,
              List.of(threads));
      System.out.println(what + ": " + new Timeouts().withoutEndless(group).state());
    }
  }
}
