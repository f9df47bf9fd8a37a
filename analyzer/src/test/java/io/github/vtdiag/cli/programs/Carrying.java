package io.github.vtdiag.cli.programs;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps its two carriers at one thing until its standard input ends. */
public final class Carrying {
  private static final Object[] MONITORS = {new Object(), new Object()};

  private static final ReentrantLock[] LOCKS = {new ReentrantLock(), new ReentrantLock()};

  /** So that the computation is not left out. */
  static volatile long result;

  private Carrying() {}

  private static void sleepInMonitor(Object monitor) {
    synchronized (monitor) {
      LockSupport.parkNanos(30_000_000);
    }
  }

  /** Another thread that takes them in the other order waits for this one. */
  private static void lock(ReentrantLock first, ReentrantLock second) {
    first.lock();
    while (!second.isLocked()) {
      LockSupport.parkNanos(1_000_000);
    }
    second.lock();
  }

  private static void compute() {
    long sum = 1;
    for (int i = 0; i < 1_000_000; i++) {
      sum = sum * 31 + i;
    }
    result = sum;
  }

  private static void force(FileChannel file) {
    try {
      file.write(ByteBuffer.allocate(1 << 16), 0);
      file.force(false);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void open(String fifo) {
    try (FileInputStream in = new FileInputStream(fifo)) {
      System.out.println(in.read());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Takes what to do, and a file where that needs one. */
  public static void main(String[] args) throws Exception {
    CountDownLatch started = new CountDownLatch(4);
    for (int i = 0; i < 4; i++) {
      int number = i;
      // One for each: threads that share one wait for its monitor.
      FileChannel file =
          args[0].equals("files")
              ? FileChannel.open(
                  Path.of(args[1] + number), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
              : null;
      Thread.ofVirtual()
          .name(args.length > 2 ? args[2] : "worker " + number)
          .start(
              () -> {
                started.countDown();
                while (true) {
                  switch (args[0]) {
                    case "pins" -> {
                      sleepInMonitor(MONITORS[number / 2]);
                      LockSupport.parkNanos(1_000_000);
                    }
                    case "pinned for ever" -> {
                      synchronized (MONITORS[number % 2]) {
                        LockSupport.park();
                      }
                    }
                    case "computing" -> compute();
                    case "files" -> {
                      force(file);
                      LockSupport.parkNanos(1_000_000);
                    }
                    case "native" -> {
                      if (number < 1) {
                        open(args[1]);
                      }
                      LockSupport.parkNanos(1_000_000_000);
                    }
                    case "locks" -> lock(LOCKS[number % 2], LOCKS[1 - number % 2]);
                    default -> LockSupport.parkNanos(10_000_000);
                  }
                }
              });
    }
    // Those that keep their carriers let no more begin than there are carriers.
    if (!args[0].equals("computing") && !args[0].equals("pinned for ever")) {
      started.await();
    }
    System.out.println("ready");
    while (System.in.read() >= 0) {
      // Until the test closes it.
    }
    System.exit(0);
  }
}
