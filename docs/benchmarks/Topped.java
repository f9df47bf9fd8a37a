import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.locks.LockSupport;

/**
 * What top.py looks at, by the first argument:
 *
 * <ul>
 *   <li>{@code work THREADS}: so many virtual threads that each compute for about 50 us, a hundred
 *       times a second, and wait for a moment with a monitor held every tenth time: the same work
 *       each second, whoever looks
 *   <li>{@code states}: takes words from standard input, goes into that state, {@code idle}, {@code
 *       compute} or {@code pin}, and prints when it did, in seconds since the epoch
 * </ul>
 */
public class Topped {
  static final Object[] MONITORS = new Object[64];
  static volatile String state = "idle";
  static volatile long sink;

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < MONITORS.length; i++) {
      MONITORS[i] = new Object();
    }
    if (args[0].equals("work")) {
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        int number = i;
        Thread.ofVirtual().name("worker " + i).start(() -> work(number));
      }
      System.out.println("ready");
      Thread.sleep(Long.MAX_VALUE);
    }
    for (int i = 0; i < 2; i++) {
      int number = i;
      Thread.ofVirtual().name("state " + i).start(() -> states(number));
    }
    BufferedReader words = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    for (String word = words.readLine(); word != null; word = words.readLine()) {
      state = word;
      System.out.println(System.currentTimeMillis() / 1e3);
    }
    System.exit(0);
  }

  static void work(int number) {
    long next = System.nanoTime() + number * 100_000L;
    for (int turn = number; ; turn++) {
      compute(20_000);
      if (turn % 10 == 0) {
        pin(MONITORS[number % MONITORS.length], 1_500_000);
      }
      next += 10_000_000;
      LockSupport.parkNanos(Math.max(1, next - System.nanoTime()));
    }
  }

  static void states(int number) {
    while (true) {
      switch (state) {
        case "compute" -> compute(1_000_000);
        case "pin" -> pin(MONITORS[number], 50_000_000);
        default -> LockSupport.parkNanos(1_000_000);
      }
    }
  }

  static void compute(int rounds) {
    long sum = 1;
    for (int i = 0; i < rounds; i++) {
      sum = sum * 31 + i;
    }
    sink = sum;
  }

  static void pin(Object monitor, long nanos) {
    synchronized (monitor) {
      LockSupport.parkNanos(nanos);
    }
  }
}
