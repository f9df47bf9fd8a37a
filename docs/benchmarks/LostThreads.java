import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether this Java loses virtual threads, as JDK-8369227 does: a thread parks for 1 to 10 ms, is
 * unparked at about the time when that is over, and then waits for a latch. A thread that does not
 * come back from the latch within ten seconds of its being counted down is lost. All threads of a round are to be unparked
 * at the same time, so that the JDK's timer and the program do so side by side.
 *
 * <p>{@code java LostThreads.java [ROUNDS [THREADS]]}; 10 rounds of 200 threads unless something
 * else is said. With {@code stay} as a third argument it lasts for a minute when threads are lost,
 * for others to look at.
 */
public final class LostThreads {
  private static final int SHORTEST_MILLIS = 1;
  private static final int LONGEST_MILLIS = 10;

  /** How far from the end of its time a thread is unparked, at most. */
  private static final long AROUND_NANOS = 200_000;

  private static final long PATIENCE_MILLIS = 10_000;
  private static final long STAY_MILLIS = 60_000;

  private LostThreads() {}

  public static void main(String[] args) throws InterruptedException {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 10;
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 200;
    int lost = 0;
    for (int i = 0; i < rounds; i++) {
      lost += round(threads);
    }
    System.out.println(
        "Java " + Runtime.version() + ": " + lost + " of " + rounds * threads + " threads lost");
    if (lost > 0 && args.length > 2) {
      Thread.sleep(STAY_MILLIS);
    }
    System.exit(lost == 0 ? 0 : 1);
  }

  private static int round(int count) throws InterruptedException {
    List<Thread> waiters = new ArrayList<>();
    CountDownLatch latch = new CountDownLatch(1);
    CountDownLatch ready = new CountDownLatch(count);
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long nanos = 1_000_000L * random.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS + 1);
    long end = System.nanoTime() + nanos;
    for (int i = 0; i < count; i++) {
      waiters.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    ready.countDown();
                    LockSupport.parkNanos(end - System.nanoTime());
                    try {
                      latch.await();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }));
    }
    ready.await();
    // While the JDK walks through those whose time is over, this walks through them as well.
    long begin = end + random.nextLong(-AROUND_NANOS, AROUND_NANOS);
    while (System.nanoTime() < begin) {
      Thread.onSpinWait();
    }
    waiters.forEach(LockSupport::unpark);
    LockSupport.parkNanos(LONGEST_MILLIS * 1_000_000L);
    latch.countDown();
    long last = System.nanoTime() + 1_000_000 * PATIENCE_MILLIS;
    int lost = 0;
    for (Thread waiter : waiters) {
      waiter.join(Math.max(1, (last - System.nanoTime()) / 1_000_000));
      lost += waiter.isAlive() ? 1 : 0;
    }
    return lost;
  }
}
