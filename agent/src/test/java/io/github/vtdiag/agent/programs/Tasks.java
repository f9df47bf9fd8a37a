package io.github.vtdiag.agent.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Programs in which a thread waits for a task, or for the end of a thread, that needs a lock. In
 * some the waiting thread has that lock; in the others all go on, and the program ends.
 */
@SuppressWarnings("LockNotBeforeTry") // some of these locks are never unlocked
public final class Tasks {
  /** Longer than the agent needs to find a hang. */
  private static final long LONG_ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(6);

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Object MONITOR = new Object();

  private Tasks() {}

  public static void main(String[] args) throws Exception {
    Hangs.awaitRecording();
    switch (args[0]) {
      case "lock-task" -> virtual(Tasks::waitsForTaskWithLock).join();
      case "monitor-task" -> virtual(Tasks::waitsForTaskInMonitor).join();
      case "platform-task" -> waitsForTaskWithLock();
      case "lock-join" -> virtual(Tasks::joinsWithLock).join();
      case "monitor-join" -> virtual(Tasks::joinsInMonitor).join();
      case "main-joins" -> joinsInMonitor();
      case "join-each-other" -> joinEachOther();
      case "other-lock" -> otherLock();
      case "timed" -> timed();
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.out.println("done");
  }

  private interface Task {
    void run() throws Exception;
  }

  private static Thread virtual(Task task) {
    return Thread.startVirtualThread(
        () -> {
          try {
            task.run();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static ExecutorService pool() {
    return Executors.newFixedThreadPool(4, Thread.ofVirtual().factory());
  }

  private static void takesLock() {
    LOCK.lock();
    LOCK.unlock();
  }

  private static int entersMonitor() {
    synchronized (MONITOR) {
      return 1;
    }
  }

  private static void waitsForTaskWithLock() throws Exception {
    LOCK.lock();
    pool().submit(Tasks::takesLock).get();
    LOCK.unlock();
  }

  private static void waitsForTaskInMonitor() throws Exception {
    synchronized (MONITOR) {
      pool().submit(Tasks::entersMonitor).get();
    }
  }

  private static void joinsWithLock() throws Exception {
    LOCK.lock();
    virtual(Tasks::takesLock).join();
    LOCK.unlock();
  }

  private static void joinsInMonitor() throws Exception {
    synchronized (MONITOR) {
      virtual(Tasks::entersMonitor).join();
    }
  }

  private static void joinEachOther() throws InterruptedException {
    Thread[] threads = new Thread[2];
    for (int i = 0; i < 2; i++) {
      int other = 1 - i;
      threads[i] =
          virtual(
              () -> {
                Thread.sleep(500);
                threads[other].join();
              });
    }
    threads[0].join();
  }

  /** Each waits, with a lock for which others wait, for a task that needs another lock. */
  private static void otherLock() throws Exception {
    ReentrantLock other = new ReentrantLock(true);
    long end = System.nanoTime() + LONG_ENOUGH_NANOS;
    List<Thread> clients = new ArrayList<>();
    try (ExecutorService pool = pool()) {
      for (int i = 0; i < 4; i++) {
        clients.add(
            virtual(
                () -> {
                  while (System.nanoTime() < end) {
                    LOCK.lock();
                    try {
                      pool.submit(() -> sleepsWith(other)).get();
                    } finally {
                      LOCK.unlock();
                    }
                  }
                }));
        clients.add(
            virtual(
                () -> {
                  while (System.nanoTime() < end) {
                    sleepsWith(other);
                  }
                }));
      }
      for (Thread client : clients) {
        client.join();
      }
    }
  }

  private static int sleepsWith(ReentrantLock lock) throws InterruptedException {
    lock.lock();
    try {
      Thread.sleep(20);
      return 1;
    } finally {
      lock.unlock();
    }
  }

  /** The thread gives up and releases the lock that its task needs. */
  private static void timed() throws Exception {
    try (ExecutorService pool = pool()) {
      LOCK.lock();
      Future<?> task = pool.submit(Tasks::takesLock);
      try {
        task.get(LONG_ENOUGH_NANOS, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        LOCK.unlock();
        task.get();
      }
    }
  }
}
