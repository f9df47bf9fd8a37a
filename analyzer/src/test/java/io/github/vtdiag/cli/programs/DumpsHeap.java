package io.github.vtdiag.cli.programs;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Writes its heap once all of its threads wait: to the file, of the sorts of waits that follow. */
public final class DumpsHeap {
  private static final CompletableFuture<Integer> REACHED = new CompletableFuture<>();
  private static final List<Thread> STARTED = new ArrayList<>();

  private DumpsHeap() {}

  public static void main(String[] args) throws Exception {
    for (String sort : Arrays.asList(args).subList(1, args.length)) {
      switch (sort) {
        case "circle" -> circle();
        case "ended" -> ended();
        case "futures" -> futures();
        case "permits" -> permits(new Semaphore(0));
        case "reached" -> start("reached", REACHED::join);
        case "monitors" -> monitors();
        case "task" -> task();
        default -> throw new IllegalArgumentException(sort);
      }
    }
    for (Thread thread : STARTED) {
      while (thread.getState() != Thread.State.WAITING
          && thread.getState() != Thread.State.BLOCKED) {
        if (!thread.isAlive()) {
          throw new IllegalStateException(thread + " has ended");
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
    System.exit(0);
  }

  private static void start(String name, Runnable task) {
    STARTED.add(Thread.ofVirtual().name(name).start(task));
  }

  /** Two locks, each taken while the other one is held. */
  private static void circle() {
    ReentrantLock one = new ReentrantLock();
    ReentrantLock other = new ReentrantLock();
    CountDownLatch both = new CountDownLatch(2);
    start("first", () -> takeBoth(one, other, both));
    start("second", () -> takeBoth(other, one, both));
  }

  private static void takeBoth(ReentrantLock one, ReentrantLock other, CountDownLatch both) {
    one.lock();
    await(both);
    other.lock();
  }

  private static void await(CountDownLatch latch) {
    latch.countDown();
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A task that needs the lock which the thread has that waits for it. */
  private static void task() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch locked = new CountDownLatch(1);
    FutureTask<?> task = new FutureTask<>(lock::lock, null);
    start(
        "asks",
        () -> {
          lock.lock();
          locked.countDown();
          get(task);
        });
    locked.await();
    start("runs", task);
  }

  private static void get(Future<?> task) {
    try {
      task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void ended() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Thread owner = Thread.ofPlatform().name("owner").start(lock::lock);
    owner.join();
    start("heir", lock::lock);
  }

  /** Each of two tasks waits for what the other one returns. */
  private static void futures() {
    Executor virtual = task -> start("joins", task);
    List<CompletableFuture<Integer>> both = new ArrayList<>();
    CountDownLatch made = new CountDownLatch(3);
    for (int i = 0; i < 2; i++) {
      int other = 1 - i;
      both.add(CompletableFuture.supplyAsync(() -> joins(made, both, other), virtual));
    }
    made.countDown();
  }

  private static int joins(CountDownLatch made, List<CompletableFuture<Integer>> both, int other) {
    await(made);
    return both.get(other).join();
  }

  private static void permits(Semaphore permits) {
    for (int i = 0; i < 3; i++) {
      start("permit", permits::acquireUninterruptibly);
    }
  }

  private record Account(int number) {
    synchronized void move(Account to, CountDownLatch both) {
      await(both);
      to.take();
    }

    synchronized void take() {}
  }

  private static void monitors() {
    Account one = new Account(1);
    Account other = new Account(2);
    CountDownLatch both = new CountDownLatch(2);
    start("gives", () -> one.move(other, both));
    start("takes", () -> other.move(one, both));
  }
}
