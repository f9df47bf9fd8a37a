package io.github.vtdiag.cli.programs;

import java.util.ArrayList;
import java.util.List;

/** Some virtual threads that sleep in a monitor, whatever it is told. */
public final class Serves {
  private static final Object LOCK = new Object();

  private Serves() {}

  public static void main(String[] arguments) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      threads.add(Thread.ofVirtual().start(Serves::serve));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void serve() {
    try {
      for (int i = 0; i < 5; i++) {
        synchronized (LOCK) {
          Thread.sleep(20);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
