package whatif;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Each of many virtual threads waits in a synchronized method of its own object. Not in a package
 * of vtdiag: the agent rewrites nothing there.
 */
public final class OwnLocks {
  private static final int THREADS = 100;
  private static final int ROUNDS = 5;

  private OwnLocks() {}

  private static final class Own {
    synchronized void hold() throws InterruptedException {
      Thread.sleep(2);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    AtomicLong operations = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(Thread.startVirtualThread(() -> hold(operations)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(operations + " operations");
  }

  private static void hold(AtomicLong operations) {
    Own own = new Own();
    for (int round = 0; round < ROUNDS; round++) {
      try {
        own.hold();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      operations.incrementAndGet();
    }
  }

  /** Its monitor is also the one of a class of the JDK. */
  static final class Kept extends java.util.Properties {
    private static final long serialVersionUID = 1L;

    synchronized void hold() throws InterruptedException {
      Thread.sleep(10);
    }
  }
}
