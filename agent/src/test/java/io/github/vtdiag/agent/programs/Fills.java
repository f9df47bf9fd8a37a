package io.github.vtdiag.agent.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs out of heap for two seconds: {@code Fills keep} ends like that, {@code Fills free} gives it
 * back and goes on. It pins before and after.
 */
public final class Fills {
  private static final List<Object> KEPT = new ArrayList<>(100_000);

  private Fills() {}

  private static final class Before {
    static final long AT;

    static {
      Pins.pause();
      AT = System.nanoTime();
    }
  }

  private static final class After {
    static final long AT;

    static {
      Pins.pause();
      AT = System.nanoTime();
    }
  }

  /** Ever smaller pieces; what little is left is for this thread itself. */
  private static void fill() {
    for (int size = 1 << 20; size >= 1 << 10; size /= 4) {
      try {
        while (true) {
          KEPT.add(new byte[size]);
        }
      } catch (OutOfMemoryError e) {
        // On to smaller ones.
      }
    }
  }

  /** The agent's first thread ends when all is set up. */
  private static boolean agentStarts() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("vtdiag"));
  }

  public static void main(String[] args) throws InterruptedException {
    System.out.println("filling: " + args[0]);
    boolean keep = args[0].equals("keep"); // A string's first use allocates: not with a full heap.
    Thread.startVirtualThread(() -> KEPT.add(Before.AT)).join();
    // Once before, so that all it needs is loaded.
    do {
      LockSupport.parkNanos(10_000_000);
    } while (agentStarts());
    // Until those that wake once a second have met it.
    for (int i = 0; i < 7; i++) {
      fill();
      LockSupport.parkNanos(300_000_000);
    }
    if (keep) {
      Runtime.getRuntime().halt(7);
    }
    KEPT.clear();
    Thread.startVirtualThread(() -> KEPT.add(After.AT)).join();
    System.out.println("done");
    System.exit(7);
  }
}
