package io.github.vtdiag.agent.programs;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Ways in which a virtual thread keeps its carrier until the agent's watch has told of it, or for a
 * while that is none of its business: {@code Keeps WAY}.
 */
public final class Keeps {
  /** Long beside the watch's threshold of 500 ms. */
  private static final long WHILE_MILLIS = 2_000;

  private static final Object MONITOR = new Object();
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final CountDownLatch TOLD = new CountDownLatch(1);

  private Keeps() {}

  private static final class Slow {
    static {
      await(TOLD);
    }

    static void touch() {}
  }

  private static final class Pinned {
    synchronized void locks() {
      LOCK.lock();
      try {
        System.out.println("never");
      } finally {
        LOCK.unlock();
      }
    }

    synchronized void parks() {
      while (TOLD.getCount() > 0) {
        LockSupport.park(this);
      }
    }

    synchronized void sleeps(long millis) {
      sleep(millis);
    }

    synchronized void waits() {
      while (TOLD.getCount() > 0) {
        try {
          wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until the recording has such an event. */
  private static void until(String type, Predicate<RecordedEvent> wanted) throws IOException {
    CountDownLatch seen = new CountDownLatch(1);
    try (EventStream events = EventStream.openRepository()) {
      events.setStartTime(Instant.EPOCH);
      events.onEvent(
          type,
          event -> {
            if (wanted.test(event)) {
              seen.countDown();
            }
          });
      events.startAsync();
      await(seen);
    }
  }

  /** Until the watch looks: only then it can tell, or keep silent. */
  private static void untilWatched() throws IOException {
    Thread.startVirtualThread(() -> {});
    until("vtdiag.Watch", event -> event.getInt("carriers") > 0);
  }

  /** Until the watch has told of a pin in progress of so many threads. */
  private static void untilTold(int threads) throws IOException {
    List<String> names = new ArrayList<>();
    until(
        "vtdiag.CarrierKept",
        event -> {
          if (event.getDuration("kept").toMillis() >= 500
              && !names.contains(event.getString("threadName"))) {
            names.add(event.getString("threadName"));
          }
          return names.size() == threads;
        });
  }

  /** Until the watch has told that the pin is over. */
  private static void untilOver() throws IOException {
    until("vtdiag.CarrierKept", event -> event.getBoolean("ended"));
  }

  private static void compute(long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  private static Thread start(String name, Runnable task) {
    return Thread.ofVirtual().name(name).start(task);
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Both carriers wait for a lock whose owner has none to go on. */
  private static void starve() throws IOException {
    CountDownLatch owned = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    start(
        "owner",
        () -> {
          LOCK.lock();
          try {
            owned.countDown();
            await(go);
          } finally {
            LOCK.unlock();
          }
        });
    await(owned);
    start("waiter-1", () -> new Pinned().locks());
    start("waiter-2", () -> new Pinned().locks());
    untilTold(2);
    go.countDown();
    // As long as it takes for a hang.
    Instant hungSince = Instant.now().plusSeconds(5);
    until(
        "vtdiag.Watch",
        event ->
            event.getInt("kept") == 2
                && event.getLong("queued") > 0
                && event.getStartTime().isAfter(hungSince));
  }

  /** The owner is a platform thread. */
  private static void enter() throws IOException, InterruptedException {
    CountDownLatch owned = new CountDownLatch(1);
    Thread owner =
        new Thread(
            () -> {
              synchronized (MONITOR) {
                owned.countDown();
                await(TOLD);
              }
            });
    owner.start();
    await(owned);
    Thread waiter =
        start(
            "waiter",
            () -> {
              synchronized (MONITOR) {
                System.out.println("entered");
              }
            });
    untilTold(1);
    TOLD.countDown();
    join(List.of(owner, waiter));
  }

  private static void initialize() throws IOException, InterruptedException {
    Thread first = start("first", () -> Slow.touch());
    Thread second = start("second", () -> Slow.touch());
    untilTold(2);
    TOLD.countDown();
    join(List.of(first, second));
  }

  /** Opening a pipe waits in native code until somebody opens its other end. */
  private static void nativeWait() throws IOException, InterruptedException {
    String pipe = "pipe-" + ProcessHandle.current().pid();
    new ProcessBuilder("mkfifo", pipe).start().waitFor();
    Thread reader =
        start(
            "reader",
            () -> {
              try (FileInputStream in = new FileInputStream(pipe)) {
                in.read();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    untilTold(1);
    new FileOutputStream(pipe).close();
    reader.join();
    untilOver();
    new File(pipe).delete();
  }

  /** Each line of a child is a wait of its own, though the reader never leaves its carrier. */
  private static void readLines() throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder("sh", "-c", "for i in 1 2 3 4; do sleep 1.5; echo line; done").start();
    start(
            "reader",
            () -> {
              try (BufferedReader lines = child.inputReader()) {
                while (lines.readLine() != null) {
                  System.out.println("line");
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            })
        .join();
    child.waitFor();
    untilOver();
  }

  /** A child stops this process for longer than the threshold, while it pins for less. */
  private static void suspend() throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                "sh", "-c", "sleep 0.1; kill -STOP $0; sleep 2; kill -CONT $0", "" + pid())
            .start();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(
          start(
              "short",
              () -> {
                while (child.isAlive()) {
                  new Pinned().sleeps(150);
                  sleep(1);
                }
              }));
    }
    join(threads);
  }

  private static long pid() {
    return ProcessHandle.current().pid();
  }

  private static void pinShortly() throws InterruptedException {
    long end = System.nanoTime() + WHILE_MILLIS * 1_000_000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          start(
              "short",
              () -> {
                Pinned own = new Pinned();
                while (System.nanoTime() - end < 0) {
                  own.sleeps(20);
                }
              }));
    }
    join(threads);
  }

  /** Each time that a thread is notified, it waits a little for the monitor that it gave up. */
  private static void reenter() throws InterruptedException {
    long end = System.nanoTime() + WHILE_MILLIS * 1_000_000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(start("notified", () -> waitAgainUntil(end)));
    }
    while (threads.stream().anyMatch(Thread::isAlive)) {
      synchronized (MONITOR) {
        MONITOR.notifyAll();
        Thread.sleep(60);
      }
      Thread.sleep(2);
    }
    join(threads);
  }

  @SuppressWarnings("WaitNotInLoop") // it waits for the notification itself
  private static void waitAgainUntil(long end) {
    while (System.nanoTime() - end < 0) {
      synchronized (MONITOR) {
        try {
          MONITOR.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private static void computeAll() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(start("computing", () -> compute(WHILE_MILLIS)));
    }
    join(threads);
  }

  private static void startAMillion() throws InterruptedException {
    for (int round = 0; round < 100; round++) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        threads.add(Thread.startVirtualThread(() -> LockSupport.parkNanos(1_000)));
      }
      join(threads);
    }
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.println("used " + (runtime.totalMemory() - runtime.freeMemory()));
  }

  public static void main(String[] args) throws Exception {
    untilWatched();
    switch (args[0]) {
      case "starve" -> starve();
      case "enter" -> enter();
      case "clinit" -> initialize();
      case "native" -> nativeWait();
      case "lines" -> readLines();
      case "park" -> {
        Thread pinned = start("parked", () -> new Pinned().parks());
        untilTold(1);
        TOLD.countDown();
        LockSupport.unpark(pinned);
        pinned.join();
        untilOver();
      }
      case "wait" -> {
        Pinned own = new Pinned();
        Thread pinned = start("waiting", own::waits);
        untilTold(1);
        TOLD.countDown();
        synchronized (own) {
          own.notifyAll();
        }
        pinned.join();
      }
      case "compute" -> computeAll();
      case "short" -> pinShortly();
      case "reenters" -> reenter();
      case "suspend" -> suspend();
      case "million" -> startAMillion();
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.out.println("done");
    if (args[0].equals("starve")) {
      // Nobody could end them.
      System.exit(0);
    }
  }
}
