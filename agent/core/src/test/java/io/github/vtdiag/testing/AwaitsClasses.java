package io.github.vtdiag.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that wait until another one has initialized a class, each by another instruction,
 * and two that wait for an {@code int[]} of the program. Run in a JVM of its own with some
 * carriers.
 */
public final class AwaitsClasses {
  private static final int[] OWN = new int[1];
  private static final String COMPUTED = AwaitsClasses.class.getName() + "$Computed";

  private static volatile Thread waiter;

  private AwaitsClasses() {}

  static final class Created {
    static {
      initialize("created");
    }
  }

  static final class Called {
    static {
      initialize("called");
    }

    static void call() {}
  }

  static final class Read {
    static int value = 1;

    static {
      initialize("read");
    }
  }

  static final class Written {
    static int value = 1;

    static {
      initialize("written");
    }
  }

  static final class Named {
    static {
      initialize("named");
    }
  }

  static final class Computed {
    static {
      initialize("computed");
    }
  }

  static Object created() {
    return new Created();
  }

  static synchronized void called() {
    Called.call();
  }

  static int read() {
    return Read.value;
  }

  static void written() {
    Written.value = 2;
  }

  static void named() {
    forName(() -> Class.forName("io.github.vtdiag.testing.AwaitsClasses$Named"));
  }

  static void computed() {
    forName(() -> Class.forName(COMPUTED));
  }

  static void entered() {
    synchronized (OWN) {
      Called.call();
    }
  }

  static void waited() {
    synchronized (OWN) {
      try {
        OWN.wait(50);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private interface Asking {
    Class<?> find() throws ClassNotFoundException;
  }

  private static void forName(Asking asking) {
    try {
      asking.find();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Blocks until the other thread has stood where it asks for the class for a while. */
  private static void initialize(String method) {
    for (int seen = 0; seen < 5; ) {
      LockSupport.parkNanos(20_000_000);
      Thread other = waiter;
      if (other != null) {
        for (StackTraceElement frame : other.getStackTrace()) {
          if (frame.getMethodName().contains(method)) {
            seen++;
            break;
          }
        }
      }
    }
  }

  private static void race(Runnable first, Runnable second) throws InterruptedException {
    Thread initializer = Thread.ofVirtual().unstarted(first);
    CountDownLatch started = new CountDownLatch(1);
    Thread other =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  started.countDown();
                  second.run();
                });
    waiter = null;
    initializer.start();
    while (initializer.isAlive() && !isInInitializer(initializer)) {
      Thread.onSpinWait();
    }
    other.start();
    started.await();
    waiter = other;
    initializer.join();
    other.join();
  }

  private static boolean isInInitializer(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals("initialize")) {
        return true;
      }
    }
    return false;
  }

  /** Holds the program's own lock until the other thread wants it. */
  private static void ownLock() throws InterruptedException {
    Thread other = Thread.ofVirtual().unstarted(AwaitsClasses::entered);
    synchronized (OWN) {
      other.start();
      while (other.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
    }
    other.join();
    Thread.ofVirtual().start(AwaitsClasses::waited).join();
  }

  public static void main(String[] args) throws InterruptedException {
    race(AwaitsClasses::created, AwaitsClasses::created);
    race(Called::call, AwaitsClasses::called);
    race(AwaitsClasses::read, AwaitsClasses::read);
    race(AwaitsClasses::written, AwaitsClasses::written);
    race(AwaitsClasses::named, AwaitsClasses::named);
    race(AwaitsClasses::computed, AwaitsClasses::computed);
    ownLock();
    System.out.println("done");
  }
}
