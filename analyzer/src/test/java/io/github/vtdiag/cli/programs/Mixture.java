package io.github.vtdiag.cli.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Does once, below each of some thousand deep stacks, what JFR records: waits with and without a
 * monitor, allocates, computes, reads a file. {@code threads} as the argument: starts very many
 * threads that wait once.
 */
public final class Mixture {
  /** How many calls, of two frames each, lead to what is done. */
  private static final int CALLS = 23;

  /** How many of the calls differ between two stacks; there are two for each. */
  private static final int CHOICES = 10;

  private static final int STACKS = 1 << CHOICES;
  private static final int COMPUTING_STACKS = 300;
  private static final int INITIALIZING_STACKS = 200;
  private static final int WORKERS = 32;
  private static final int MANY_THREADS = 50_000;
  private static final int WAITING = 200;
  private static final Object LOCK = new Object();

  /** What is stored here escapes, and is really allocated and locked. */
  @SuppressWarnings("unused")
  private static volatile Object sink;

  /** Its bytes become a class again and again, whose initializer waits. */
  static final class Waits {
    static {
      LockSupport.parkNanos(1_000);
    }
  }

  private Mixture() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].equals("threads")) {
      startMany();
      return;
    }
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      int path = i;
      waiting.add(Thread.startVirtualThread(() -> call(path, CALLS, () -> await(end))));
    }
    Path file = Path.of("mixture.bin");
    Files.write(file, new byte[4096]);
    byte[] waits;
    try (InputStream in = Mixture.class.getResourceAsStream("Mixture$Waits.class")) {
      waits = in.readAllBytes();
    }
    for (Thread.Builder threads : List.of(Thread.ofVirtual(), Thread.ofPlatform())) {
      // Far more is done by virtual threads, of which vtdiag keeps what it reads.
      int share = threads instanceof Thread.Builder.OfVirtual ? 1 : 8;
      below(threads, STACKS / share, Mixture::sleep);
      below(threads, STACKS / share, Mixture::waitLocked);
      below(threads, STACKS / share, Mixture::enter);
      below(threads, STACKS / share, Mixture::allocate);
      below(threads, STACKS / share, () -> read(file));
      below(threads, COMPUTING_STACKS / share, Mixture::compute);
      below(threads, INITIALIZING_STACKS / share, () -> initialize(waits));
    }
    end.countDown();
    for (Thread thread : waiting) {
      thread.join();
    }
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(0, 1_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void startMany() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < MANY_THREADS; i++) {
      threads.add(
          Thread.ofVirtual().name("request-" + i).start(() -> LockSupport.parkNanos(1_000)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Runs it below that many different stacks. */
  private static void below(Thread.Builder threads, int stacks, Runnable end)
      throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(
          threads.start(
              () -> {
                for (int path = next.getAndIncrement();
                    path < stacks;
                    path = next.getAndIncrement()) {
                  call(path, CALLS, end);
                }
              }));
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }

  private static void call(int path, int calls, Runnable end) {
    if (calls == 0) {
      end.run();
    } else if ((path >> calls % CHOICES & 1) == 0) {
      left(path, calls, end);
    } else {
      right(path, calls, end);
    }
  }

  private static void left(int path, int calls, Runnable end) {
    call(path, calls - 1, end);
  }

  private static void right(int path, int calls, Runnable end) {
    call(path, calls - 1, end);
  }

  private static void waitLocked() {
    Object lock = new Object();
    sink = lock;
    synchronized (lock) {
      LockSupport.parkNanos(1_000);
    }
  }

  /** Takes the lock that the other workers want, too, and lets them have it next. */
  private static void enter() {
    synchronized (LOCK) {
      // So long that nobody gets it by spinning, of which no event tells.
      LockSupport.parkNanos(300_000);
    }
    sleep();
  }

  private static void allocate() {
    for (int i = 0; i < 8; i++) {
      sink = new byte[8192];
    }
  }

  private static void read(Path path) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      sink = file.read(new byte[512]);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For about two of JFR's shortest periods between samples. */
  private static void compute() {
    long sum = System.nanoTime();
    for (int i = 0; i < 2_000_000; i++) {
      sum = sum * 31 + i;
    }
    sink = sum;
  }

  private static void initialize(byte[] waits) {
    try {
      MethodHandles.lookup().defineHiddenClass(waits, true);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
