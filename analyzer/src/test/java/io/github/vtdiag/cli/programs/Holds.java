package io.github.vtdiag.cli.programs;

import java.util.ArrayList;
import java.util.List;

/** Sleeps in a synchronized method on virtual threads, each on an object of its own. */
public final class Holds {
  /** Keeps the locks from being removed: objects that do not escape need none. */
  private static final List<Holds> ESCAPED = new ArrayList<>();

  private Holds() {}

  public static void main(String[] args) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Holds holds = new Holds();
      ESCAPED.add(holds);
      threads.add(Thread.startVirtualThread(holds::sleep));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private synchronized void sleep() {
    try {
      Thread.sleep(60);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
