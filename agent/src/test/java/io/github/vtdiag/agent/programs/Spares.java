package io.github.vtdiag.agent.programs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two carriers, and those that the JDK has added for threads in Object.wait, which are over: on
 * Java 21 they are idle, and the scheduler uses none of them.
 */
public final class Spares {
  private static final int WAITING = 12;
  private static final int PINNED = 6;
  private static final long LONG_SECONDS = 4;

  /** Far longer than the agent needs; then the program ends, so that nobody waits for it. */
  private static final long FOR_EVER_SECONDS = 100;

  private static final ReentrantLock LOCK = new ReentrantLock();

  private Spares() {}

  public static void main(String[] args) throws Exception {
    addCarriers();
    switch (args[0]) {
      case "rests" -> TimeUnit.SECONDS.sleep(LONG_SECONDS);
      case "pins" -> pin();
      case "starves" -> starve();
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.out.println("done");
  }

  private static void addCarriers() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    List<Object> monitors = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      Object monitor = new Object();
      monitors.add(monitor);
      threads.add(Thread.startVirtualThread(() -> await(monitor)));
    }
    while (!threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING)) {
      Thread.sleep(10);
    }
    for (Object monitor : monitors) {
      synchronized (monitor) {
        monitor.notifyAll();
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // nothing else is to be waited for
  private static void await(Object monitor) {
    synchronized (monitor) {
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** More threads than two carriers can have are pinned most of the time. */
  private static void pin() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONG_SECONDS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < PINNED; i++) {
      Object monitor = new Object();
      threads.add(
          Thread.startVirtualThread(
              () -> {
                while (System.nanoTime() - end < 0) {
                  synchronized (monitor) {
                    sleep(20);
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Two threads wait on their carriers for a lock whose owner is queued. */
  private static void starve() throws InterruptedException {
    CountDownLatch owned = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    threads.add(
        Thread.ofVirtual()
            .name("owner")
            .start(
                () -> {
                  LOCK.lock();
                  try {
                    owned.countDown();
                    await(go);
                  } finally {
                    LOCK.unlock();
                  }
                }));
    owned.await();
    for (int i = 0; i < 2; i++) {
      Object monitor = new Object();
      threads.add(
          Thread.ofVirtual()
              .name("waiter-" + i)
              .start(
                  () -> {
                    synchronized (monitor) {
                      LOCK.lock();
                      try {
                        System.out.println("never");
                      } finally {
                        LOCK.unlock();
                      }
                    }
                  }));
    }
    for (int i = 1; LOCK.getQueueLength() < 2; i++) {
      Thread.sleep(10);
      if (i % 100 == 0) {
        // Java 21 may leave a thread queued beside idle carriers until another one is started.
        Thread.startVirtualThread(() -> {});
      }
    }
    go.countDown();
    for (Thread thread : threads) {
      if (!thread.join(Duration.ofSeconds(FOR_EVER_SECONDS))) {
        System.exit(1);
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
