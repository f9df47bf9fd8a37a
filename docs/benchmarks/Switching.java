import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The worst case for an agent: 10,000 virtual threads that do 2 us of work and yield, over and
 * over; one operation in a hundred parks for 1 us in a synchronized block of its own object, so
 * that it is pinned (on JDK 21 to 23). Prints operations a second.
 */
public class Switching {
  static final LongAdder DONE = new LongAdder();
  static final Object[] LOCKS = new Object[10_000];

  public static void main(String[] args) throws Exception {
    int seconds = Integer.parseInt(args[0]);
    for (int i = 0; i < LOCKS.length; i++) {
      int number = i;
      LOCKS[i] = new Object();
      Thread.startVirtualThread(() -> loop(number));
    }
    WarmUp.await();
    long before = DONE.sum();
    long begin = System.nanoTime();
    Thread.sleep(seconds * 1_000L);
    System.out.printf("%.1f%n", (DONE.sum() - before) / ((System.nanoTime() - begin) / 1e9));
    System.exit(0);
  }

  static void loop(int number) {
    long sum = number;
    for (int i = number; ; i++) {
      long until = System.nanoTime() + 2_000;
      while (System.nanoTime() < until) {
        sum += i;
      }
      if (i % 100 == 0) {
        synchronized (LOCKS[number]) {
          LockSupport.parkNanos(1_000);
        }
      } else {
        Thread.yield();
      }
      DONE.increment();
      if (sum == Long.MIN_VALUE) {
        throw new AssertionError("never: only keeps the work from being removed");
      }
    }
  }
}
