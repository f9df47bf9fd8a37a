package io.github.vtdiag.agent.programs;

import java.util.concurrent.TimeUnit;

/** So many virtual threads that want one monitor again and again, for so many seconds. */
public final class Queues {
  private static final Object LOCK = new Object();

  private Queues() {}

  public static void main(String[] args) throws InterruptedException {
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      Thread.startVirtualThread(Queues::work);
    }
    TimeUnit.SECONDS.sleep(Integer.parseInt(args[1]));
    System.exit(0);
  }

  private static void work() {
    try {
      while (true) {
        synchronized (LOCK) {
          Thread.sleep(8);
        }
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
