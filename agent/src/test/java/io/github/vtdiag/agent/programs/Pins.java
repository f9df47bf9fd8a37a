package io.github.vtdiag.agent.programs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Ways to block a virtual thread's carrier, by name: {@code Pins WAY COUNT}. */
public final class Pins {
  /** Locks must escape: the JIT removes the others, and what is removed does not pin. */
  private static final List<Object> ESCAPED = Collections.synchronizedList(new ArrayList<>());

  private static final Object SHARED = new Object();

  private Pins() {}

  private static final class Own {
    synchronized void method() {
      pause();
    }

    void blockUnderManyFrames(int frames) {
      synchronized (this) {
        deeper(frames);
      }
    }

    private void deeper(int frames) {
      if (frames == 0) {
        pause();
      } else {
        deeper(frames - 1);
      }
    }
  }

  private static final class Initialized {
    static final long AT;

    static {
      pause();
      AT = System.nanoTime();
    }
  }

  static void pause() {
    pause(150);
  }

  public static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pin(String way) {
    Own own = new Own();
    ESCAPED.add(own);
    switch (way) {
      case "method" -> own.method();
      case "block" -> {
        synchronized (own) {
          pause();
        }
      }
      case "deep" -> own.blockUnderManyFrames(150);
      case "clinit" -> ESCAPED.add(Initialized.AT);
      case "wait" -> {
        synchronized (own) {
          try {
            own.wait(150);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      case "none" -> pause();
      default -> throw new IllegalArgumentException(way);
    }
  }

  /** One thread has the monitor, on a platform thread; the virtual ones wait to enter. */
  private static void contend(int count) throws InterruptedException {
    // The agent may hold up the very first virtual thread; the owner would be done by then.
    Thread.startVirtualThread(() -> {}).join();
    CountDownLatch held = new CountDownLatch(1);
    Thread owner =
        new Thread(
            () -> {
              synchronized (SHARED) {
                held.countDown();
                pause();
              }
            });
    owner.start();
    held.await();
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      waiting.add(
          Thread.startVirtualThread(
              () -> {
                synchronized (SHARED) {
                  ESCAPED.add(SHARED);
                }
              }));
    }
    for (Thread thread : waiting) {
      thread.join();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    System.out.println("pinning: " + args[0]);
    int count = Integer.parseInt(args[1]);
    if (args[0].equals("contend")) {
      contend(count);
    } else {
      try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < count; i++) {
          executor.execute(() -> pin(args[0]));
        }
      }
    }
    System.out.println("done");
  }
}
