package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.threads.CasesRun;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.waits.LongWait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LimitersTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void onlyALimiterLetsRequestsWaitForHours(Jdk jdk) throws Exception {
    assertEquals(
        List.of(
            "a job of tomorrow: no",
            "a wait without a time: no",
            "a limiter that lets one go on soon: no",
            "one of two goes on soon: no",
            "a thread that the limiter has: no",
            "a limiter that sleeps: in 120 min",
            "a limiter that parks: in 120 min",
            "the first of two: in 120 min"),
        CasesRun.lines(jdk, folder, Cases.class));
  }

  /** Lets threads wait. */
  static final class RateLimiter implements Runnable {
    void acquire(Duration time, boolean sleeps) {
      if (sleeps) {
        try {
          Thread.sleep(time);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      } else if (time.isZero()) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, time.toNanos());
      }
    }

    @Override
    public void run() {
      acquire(Duration.ofHours(2), true);
    }
  }

  /** Prints of several waits when a limiter ends them. */
  static final class Cases {
    private static final RateLimiter LIMITER = new RateLimiter();

    private Cases() {}

    public static void main(String[] args) throws InterruptedException {
      print("a job of tomorrow", start(Cases::sleep));
      print("a wait without a time", request(Duration.ZERO, false));
      print("a limiter that lets one go on soon", request(Duration.ofMinutes(1), true));
      print(
          "one of two goes on soon",
          request(Duration.ofHours(2), true),
          request(Duration.ofMinutes(1), true));
      print("a thread that the limiter has", start(LIMITER));
      print("a limiter that sleeps", request(Duration.ofHours(2), true));
      print("a limiter that parks", request(Duration.ofHours(2), false));
      print(
          "the first of two",
          request(Duration.ofHours(3), true),
          request(Duration.ofHours(2), true));
      System.exit(0);
    }

    private static void sleep() {
      try {
        Thread.sleep(Duration.ofDays(1));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static Thread request(Duration time, boolean sleeps) throws InterruptedException {
      return start(() -> LIMITER.acquire(time, sleeps));
    }

    private static Thread start(Runnable task) throws InterruptedException {
      Thread thread = Thread.ofVirtual().start(task);
      while (thread.getState() != Thread.State.TIMED_WAITING
          && thread.getState() != Thread.State.WAITING) {
        Thread.sleep(5);
      }
      return thread;
    }

    private static void print(String what, Thread... threads) {
      WaitGroup group =
          new WaitGroup(
              List.of(threads[0].getStackTrace()),
              threads[0].getState(),
              "",
              0,
              threads.length,
              0,
              false,
              0,
              false,
              LongWait.Wakers.NONE,
              List.of(threads));
      OptionalLong end = new Limiters(new Timeouts()).end(group);
      long minutes = Math.round((double) end.orElse(0) / TimeUnit.MINUTES.toNanos(1));
      System.out.println(what + ": " + (end.isEmpty() ? "no" : "in " + minutes + " min"));
    }
  }
}
