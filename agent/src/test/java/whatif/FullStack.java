package whatif;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Six threads at a time run out of stack, thousands of times, in and around monitors that others
 * wait for. It says so when one was not left.
 */
@SuppressWarnings({"InfiniteRecursion", "WaitNotInLoop", "NakedNotify", "ThreadPriorityCheck"})
public final class FullStack {
  private static final Object OTHER = new Object();
  private static final Deep DEEP = new Deep();

  private FullStack() {}

  private static final class Deep {
    private int within;

    synchronized void method() {
      // No call in here: it would be where the stack ends.
      if (++within != 1) {
        System.out.println("two are in");
      }
      for (int i = 0; i < 100; i++) {
        within += i;
      }
      within = 0;
    }

    void block() {
      synchronized (this) {
        if (++within != 1) {
          System.out.println("two are in");
        }
        within = 0;
      }
    }

    synchronized void both() {
      synchronized (OTHER) {
        block();
      }
    }

    /** Has no more stack when it is to leave than it had when it entered. */
    synchronized void fall(int padding) {
      synchronized (OTHER) {
        if (padding > 0) {
          fall(padding - 1);
        } else {
          pad(1, 2, 3, 4);
        }
      }
    }

    private long pad(long a, long b, long c, long d) {
      long sum = a + b + c + d;
      fall(2);
      return sum;
    }

    synchronized void waitAndTell() throws InterruptedException {
      notifyAll();
      wait(0, 1);
      notifyAll();
    }
  }

  private static void tellOther() {
    synchronized (OTHER) {
      OTHER.notifyAll();
    }
  }

  private static synchronized void onClass(Deep deep) {
    deep.block();
  }

  /** What one frame near the end of the stack does; the end comes at any place in it. */
  private static void touch(Deep deep, int kind) throws InterruptedException {
    switch (kind % 6) {
      case 0 -> deep.method();
      case 1 -> deep.block();
      case 2 -> deep.both();
      case 3 -> tellOther();
      case 4 -> onClass(deep);
      default -> deep.waitAndTell();
    }
  }

  /** One thread's way to the end of its stack, and some frames back. */
  private static final class Way {
    private final Deep deep;
    private final int kind;
    private int left;
    private long overflows;

    Way(Deep deep, int kind, int attempts) {
      this.deep = deep;
      this.kind = kind;
      this.left = attempts;
    }

    void down() {
      try {
        down();
      } catch (StackOverflowError e) {
        overflows++;
      }
      if (left > 0) {
        left--;
        try {
          touch(deep, kind + left);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    void downLocked() {
      try {
        deep.fall(kind % 3);
      } catch (StackOverflowError e) {
        overflows++;
      }
    }
  }

  private static long run(boolean virtual, int round, Deep deep) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    List<Way> ways = new ArrayList<>();
    CountDownLatch start = new CountDownLatch(1);
    for (int i = 0; i < 6; i++) {
      Way way = new Way(deep, round + i, 200);
      ways.add(way);
      int number = i;
      Runnable task =
          () -> {
            try {
              start.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            if (number < 4) {
              way.down();
            } else {
              way.downLocked();
            }
          };
      threads.add(
          virtual
              ? Thread.ofVirtual().unstarted(task)
              : new Thread(null, task, "falling", 300_000 + 1000L * (round % 50) + 16L * i));
    }
    threads.forEach(Thread::start);
    start.countDown();
    for (int i = 0; i < threads.size(); i++) {
      Thread thread = threads.get(i);
      for (int seconds = 0; !thread.join(Duration.ofSeconds(1)); seconds++) {
        if (seconds == 30) {
          System.out.println("held: " + thread + " waits");
          Runtime.getRuntime().halt(1);
        }
      }
    }
    return ways.stream().mapToLong(way -> way.overflows).sum();
  }

  /** On platform threads first, then on virtual ones. */
  public static void main(String[] args) throws InterruptedException {
    int rounds = Integer.parseInt(args[0]);
    rounds(false, rounds);
    rounds(true, rounds);
  }

  private static void rounds(boolean virtual, int rounds) throws InterruptedException {
    long overflows = 0;
    for (int round = 0; round < rounds; round++) {
      overflows += run(virtual, round, round % 2 == 0 ? DEEP : new Deep());
    }
    Thread last =
        new Thread(
            () -> {
              synchronized (DEEP) {
                tellOther();
              }
              onClass(new Deep());
            });
    last.start();
    if (!last.join(Duration.ofSeconds(30))) {
      System.out.println("held");
      Runtime.getRuntime().halt(1);
    }
    if (overflows < rounds) {
      System.out.println("only " + overflows + " overflows");
    }
    System.out.println("nothing is held");
  }
}
