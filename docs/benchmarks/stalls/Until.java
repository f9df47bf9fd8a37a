import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits whose end is known: a timer, a limiter of rates, a shutdown hook. */
final class Until {
  private static final int THREADS = 4;
  private static volatile boolean over;

  private Until() {}

  /** A limiter of the number of permits in a time: each thread is told how long it has to wait. */
  private static final class RateLimiter {
    private final long periodNanos;
    private final boolean sleeps;
    private long next = System.nanoTime();

    RateLimiter(Duration period, boolean sleeps) {
      this.periodNanos = period.toNanos();
      this.sleeps = sleeps;
    }

    private synchronized long reserve() {
      long now = System.nanoTime();
      long at = Math.max(now, next);
      next = at + periodNanos;
      return at - now;
    }

    void acquire() throws InterruptedException {
      long nanos = reserve();
      if (sleeps) {
        TimeUnit.NANOSECONDS.sleep(nanos);
      } else {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
          LockSupport.parkNanos(this, end - System.nanoTime());
        }
      }
    }
  }

  private static void limited(Duration period, boolean sleeps) {
    Asked.service();
    RateLimiter limiter = new RateLimiter(period, sleeps);
    Programs.repeat(THREADS, limiter::acquire);
  }

  /** A permit comes each two hours, as a wrong unit makes it; threads sleep until then. */
  @Programs.StandsStill("sleep|Until$RateLimiter.acquire")
  static void limiterSleepsForHours() {
    limited(Duration.ofHours(2), true);
  }

  /** The same, where threads park until then. */
  @Programs.StandsStill("park|Until$RateLimiter.acquire")
  static void limiterParksForHours() {
    limited(Duration.ofHours(2), false);
  }

  /** A permit comes each 15 seconds, so that each thread waits for a minute. */
  @Programs.Healthy
  static void slowLimiters() {
    limited(Duration.ofSeconds(15), true);
    limited(Duration.ofSeconds(15), false);
  }

  /** A job sleeps until tomorrow, and threads of the program's own scheduler until a task is due. */
  @Programs.Healthy
  static void jobsOfTomorrow() {
    Asked.service();
    Programs.start(() -> Thread.sleep(Duration.ofDays(1)));
    Programs.start(() -> LockSupport.parkNanos(Duration.ofDays(1).toNanos()));
  }

  /** A task of a Timer completes a future, and another one counts a latch down, tomorrow. */
  @Programs.Healthy
  static void tasksOfTimer() {
    Asked.service();
    CountDownLatch latch = new CountDownLatch(1);
    CompletableFuture<Integer> future = new CompletableFuture<>();
    Timer timer = new Timer(true);
    schedule(timer, latch::countDown);
    schedule(timer, () -> future.complete(1));
    Programs.start(latch::await);
    Programs.start(future::join);
  }

  private static void schedule(Timer timer, Runnable task) {
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            task.run();
          }
        },
        Duration.ofMinutes(5).toMillis());
  }

  /** Threads pause until a shutdown hook sets a field. */
  @Programs.Healthy
  static void flagOfShutdownHook() {
    Asked.service();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> over = true));
    Programs.start(
        () -> {
          while (!over) {
            Programs.sleep(1);
          }
        });
  }

  /** A future is completed by a task that runs later. */
  @Programs.Healthy
  static void delayedFuture() {
    Asked.service();
    CompletableFuture<Integer> later =
        CompletableFuture.supplyAsync(
            () -> 1, CompletableFuture.delayedExecutor(5, TimeUnit.MINUTES));
    Programs.start(later::join);
  }
}
