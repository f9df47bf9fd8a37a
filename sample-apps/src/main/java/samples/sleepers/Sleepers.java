package samples.sleepers;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tasks that only sleep, a thread each, or in a pool; some of them hold a lock meanwhile.
 *
 * <p>Arguments: {@code threads=virtual} or the size of a pool, {@code tasks}, {@code millis} that
 * each sleeps, {@code rounds}, {@code warmUp} rounds before them that sleep {@value
 * #WARM_UP_MILLIS} ms. {@code guard} is what {@code holders} more tasks of each round, which start
 * first, sleep under: {@code shared-monitor}, {@code own-monitor}, {@code shared-lock}, {@code
 * own-lock} or {@code semaphore} with its {@code permits}.
 */
public final class Sleepers {
  private static final int WARM_UP_MILLIS = 10;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Object sharedMonitor = new Object();
  private final Lock sharedLock = new ReentrantLock();
  private final Semaphore semaphore;
  private final String guard;
  private final LongAdder done = new LongAdder();
  private final LongAdder wrong = new LongAdder();

  private Sleepers(String guard, int permits) {
    this.guard = guard;
    semaphore = new Semaphore(permits);
  }

  public static void main(String[] args) throws InterruptedException {
    Map<String, String> given = new HashMap<>();
    for (String arg : args) {
      int equals = arg.indexOf('=');
      given.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
    String threads = given.getOrDefault("threads", "virtual");
    int tasks = Integer.parseInt(given.getOrDefault("tasks", "10000"));
    int millis = Integer.parseInt(given.getOrDefault("millis", "300"));
    int rounds = Integer.parseInt(given.getOrDefault("rounds", "3"));
    int warmUp = Integer.parseInt(given.getOrDefault("warmUp", "5"));
    int holders = Integer.parseInt(given.getOrDefault("holders", "0"));
    Sleepers sleepers =
        new Sleepers(
            given.getOrDefault("guard", "none"),
            Integer.parseInt(given.getOrDefault("permits", "1")));
    for (int i = 0; i < warmUp; i++) {
      sleepers.round(threads, tasks, WARM_UP_MILLIS, 0);
    }
    sleepers.done.reset();
    sleepers.wrong.reset();
    List<Times> times = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      times.add(sleepers.round(threads, tasks, millis, holders));
    }
    long expected = (long) rounds * (tasks + holders);
    // In one write, so that nothing from the other stream stands within.
    System.out.println(
        String.format(
            Locale.ROOT,
            "RESULT millis=%.3f least=%.3f most=%.3f allMillis=%.3f tasks=%d errors=%d"
                + " peakThreads=%d",
            times.stream().mapToDouble(Times::tasks).average().orElseThrow(),
            times.stream().mapToDouble(Times::tasks).min().orElseThrow(),
            times.stream().mapToDouble(Times::tasks).max().orElseThrow(),
            times.stream().mapToDouble(Times::all).average().orElseThrow(),
            sleepers.done.sum(),
            expected - sleepers.done.sum() + sleepers.wrong.sum(),
            ManagementFactory.getThreadMXBean().getPeakThreadCount()));
  }

  /**
   * The times of one round, in milliseconds.
   *
   * @param tasks until the last of the tasks that take no lock had ended
   * @param all until all had
   */
  private record Times(double tasks, double all) {}

  private Times round(String threads, int tasks, int millis, int holders)
      throws InterruptedException {
    CountDownLatch left = new CountDownLatch(tasks);
    long start = System.nanoTime();
    long tasksDone;
    try (ExecutorService executor =
        threads.equals("virtual")
            ? Executors.newVirtualThreadPerTaskExecutor()
            : Executors.newFixedThreadPool(Integer.parseInt(threads))) {
      for (int i = 0; i < holders; i++) {
        executor.execute(() -> hold(millis));
      }
      for (int i = 0; i < tasks; i++) {
        executor.execute(
            () -> {
              try {
                sleep(millis);
              } finally {
                left.countDown();
              }
            });
      }
      left.await();
      tasksDone = System.nanoTime();
    }
    long allDone = System.nanoTime();
    return new Times((tasksDone - start) / NANOS_PER_MILLI, (allDone - start) / NANOS_PER_MILLI);
  }

  private void hold(int millis) {
    switch (guard) {
      case "shared-monitor" -> inSharedMonitor(millis);
      case "own-monitor" -> inOwnMonitor(millis);
      case "shared-lock" -> underLock(sharedLock, millis);
      case "own-lock" -> underLock(new ReentrantLock(), millis);
      case "semaphore" -> underSemaphore(millis);
      default -> throw new IllegalArgumentException("no guard " + guard);
    }
  }

  private void inSharedMonitor(int millis) {
    synchronized (sharedMonitor) {
      sleep(millis);
    }
  }

  private void inOwnMonitor(int millis) {
    Object own = new Object();
    synchronized (own) {
      sleep(millis);
    }
  }

  private void underLock(Lock lock, int millis) {
    lock.lock();
    try {
      sleep(millis);
    } finally {
      lock.unlock();
    }
  }

  private void underSemaphore(int millis) {
    semaphore.acquireUninterruptibly();
    try {
      sleep(millis);
    } finally {
      semaphore.release();
    }
  }

  private void sleep(int millis) {
    long start = System.nanoTime();
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (System.nanoTime() - start < millis * NANOS_PER_MILLI) {
      wrong.increment();
    }
    done.increment();
  }
}
