package io.github.vtdiag.cli.programs;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands still in one way or another, and says so. Its threads are started on the two carriers that
 * the test gives it.
 */
public final class Hangs {
  static final Object LEFT = new Object();
  static final Object RIGHT = new Object();
  static final ReentrantLock LOCK = new ReentrantLock();
  static final ReentrantLock OTHER = new ReentrantLock();

  private Hangs() {}

  /** Needs {@link Second}. */
  static final class First {
    static {
      Meeting.meet();
      Second.touch();
    }

    private First() {}

    static void touch() {}
  }

  /** Needs {@link First}. */
  static final class Second {
    static {
      Meeting.meet();
      First.touch();
    }

    private Second() {}

    static void touch() {}
  }

  /** Where two threads wait until both are there; each of them has its own carrier. */
  static final class Meeting {
    private static final CountDownLatch BOTH = new CountDownLatch(2);

    private Meeting() {}

    static void meet() {
      BOTH.countDown();
      while (BOTH.getCount() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  private static void leftThenRight() {
    synchronized (LEFT) {
      Meeting.meet();
      synchronized (RIGHT) {
        System.out.println("both");
      }
    }
  }

  private static void rightThenLeft() {
    synchronized (RIGHT) {
      Meeting.meet();
      synchronized (LEFT) {
        System.out.println("both");
      }
    }
  }

  private static void locks(ReentrantLock one, ReentrantLock two) {
    one.lock();
    Meeting.meet();
    two.lock();
    System.out.println("both");
  }

  /** Waits for the lock with a monitor in its hands. */
  private static void lockInMonitor(Object monitor) {
    synchronized (monitor) {
      LOCK.lock();
      System.out.println("both");
    }
  }

  private static void compute(CountDownLatch started) {
    started.countDown();
    long sum = 0;
    while (sum != 1) {
      sum += 2;
    }
    System.out.println(sum);
  }

  private static void borrow(Semaphore pool) {
    pool.acquireUninterruptibly();
  }

  /** Takes what to do, and a file that nobody writes to. */
  public static void main(String[] args) throws Exception {
    List<Thread> stuck = new ArrayList<>();
    switch (args[0]) {
      case "monitors" -> {
        stuck.add(start("left", Hangs::leftThenRight));
        stuck.add(start("right", Hangs::rightThenLeft));
      }
      case "mixed" -> {
        stuck.add(start("left", Hangs::leftThenRight));
        Thread platform = new Thread(Hangs::rightThenLeft, "right");
        platform.setDaemon(true);
        platform.start();
        stuck.add(platform);
      }
      case "locks" -> {
        stuck.add(start("one", () -> locks(LOCK, OTHER)));
        stuck.add(start("two", () -> locks(OTHER, LOCK)));
      }
      case "classes" -> {
        Thread first = start("first", First::touch);
        Thread second = start("second", Second::touch);
        awaitInitializer(first);
        awaitInitializer(second);
      }
      case "pinned" -> {
        LOCK.lock(); // By the main thread, which does not give it back.
        for (int i = 0; i < 2; i++) {
          Object own = new Object();
          stuck.add(start("pinner-" + i, () -> lockInMonitor(own)));
        }
        for (Thread each : stuck) {
          await(each, Thread.State.WAITING);
        }
        CountDownLatch others = new CountDownLatch(5);
        for (int i = 0; i < 5; i++) {
          start("", others::countDown);
        }
      }
      case "native" -> {
        for (int i = 0; i < 40; i++) {
          start("reader-" + i, () -> open(args[1]));
        }
      }
      case "reader" -> {
        Thread reader = start("reader", () -> open(args[1]));
        while (Arrays.stream(reader.getStackTrace())
            .limit(1)
            .noneMatch(on -> on.isNativeMethod())) {
          Thread.onSpinWait();
        }
      }
      case "computing" -> {
        CountDownLatch started = new CountDownLatch(2);
        for (int i = 0; i < 4; i++) {
          start("computing-" + i, () -> compute(started));
        }
        started.await();
      }
      case "other-pool" -> {
        // No virtual thread, and workers named as those of the scheduler.
        ForkJoinPool pool = new ForkJoinPool(2);
        CountDownLatch started = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
          pool.execute(() -> compute(started));
        }
        started.await();
      }
      case "waking" -> {
        for (int i = 0; i < 50; i++) {
          Exchanger<String> pair = new Exchanger<>();
          start("one-" + i, () -> exchange(pair));
          start("two-" + i, () -> exchange(pair));
        }
      }
      case "pool" -> {
        Semaphore pool = new Semaphore(0);
        for (int i = 0; i < 40; i++) {
          stuck.add(start("", () -> borrow(pool)));
        }
      }
      case "idle" -> {
        ServerSocket socket = new ServerSocket(0);
        for (int i = 0; i < 3; i++) {
          stuck.add(start("server-" + i, () -> accept(socket)));
        }
      }
      default -> {}
    }
    for (Thread thread : stuck) {
      await(thread, Thread.State.WAITING);
    }
    System.out.println("ready");
    System.in.read();
    Runtime.getRuntime().halt(0);
  }

  /** Waits for the other one again and again, never for long. */
  private static void exchange(Exchanger<String> pair) {
    try {
      while (pair.exchange("") != null) {
        Thread.onSpinWait();
      }
    } catch (InterruptedException e) {
      System.out.println(e);
    }
  }

  private static void open(String fifo) {
    try (FileInputStream in = new FileInputStream(fifo)) {
      System.out.println(in.read());
    } catch (IOException e) {
      System.out.println(e);
    }
  }

  private static void accept(ServerSocket socket) {
    try {
      System.out.println(socket.accept());
    } catch (IOException e) {
      System.out.println(e);
    }
  }

  private static Thread start(String name, Runnable task) {
    return Thread.ofVirtual().name(name).start(task);
  }

  private static void awaitInitializer(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    while (stack.length == 0 || !stack[0].getMethodName().equals("<clinit>")) {
      Thread.onSpinWait();
      stack = thread.getStackTrace();
    }
  }

  private static void await(Thread thread, Thread.State state) {
    while (thread.getState() != state && thread.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
  }
}
