package whatif;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Threads of both kinds in and on the monitors of one object, of few, of many and of those whose
 * locks share a slot of the table. Each checks that it is alone.
 */
@SuppressWarnings({
  "WaitNotInLoop",
  "NakedNotify",
  "InfiniteRecursion",
  "ThreadPriorityCheck",
  "ReferenceEquality"
})
public final class Slots {
  private static final int THREADS = 16;
  private static final int SLOTS = 1 << 14;

  /** Objects of which the identity hashes end alike. */
  private static final int ALIKE = 6;

  private static final AtomicLong FAILURES = new AtomicLong();

  private Slots() {}

  private static final class Cell {
    private Thread owner;
    private long entered;

    /** Of the threads that leave, in any way. */
    private long left;
  }

  private static void fail(String what) {
    FAILURES.incrementAndGet();
    System.out.println(what);
  }

  private static final class Worker implements Runnable {
    private final List<Cell> cells;
    private final Random random;
    private final int rounds;
    private final AtomicLong entered;

    /** Set by who interrupts, until it was thrown: a second one could come before the check. */
    private final AtomicBoolean interrupted = new AtomicBoolean();

    Worker(List<Cell> cells, int seed, int rounds, AtomicLong entered) {
      this.cells = cells;
      this.random = new Random(seed);
      this.rounds = rounds;
      this.entered = entered;
    }

    @Override
    public void run() {
      for (int i = 0; i < rounds; i++) {
        try {
          enter(random.nextInt(cells.size()), 0);
        } catch (IllegalStateException e) {
          // Thrown on purpose.
        }
        if (i % 64 == 0) {
          Thread.yield();
        }
      }
    }

    /** Only outwards in, so that nobody waits in a circle. */
    private void enter(int number, int depth) {
      Cell cell = cells.get(number);
      Thread current = Thread.currentThread();
      synchronized (cell) {
        Thread outer = cell.owner;
        if (outer != null && outer != current) {
          fail("two are in");
        }
        cell.owner = current;
        cell.entered++;
        entered.incrementAndGet();
        try {
          act(cell, number, depth);
        } finally {
          if (cell.owner != current || !Thread.holdsLock(cell)) {
            fail("not the owner any more");
          }
          cell.left++;
          cell.owner = outer;
        }
      }
    }

    private void act(Cell cell, int number, int depth) {
      int way = random.nextInt(1000);
      if (way < 300 && depth < 4) {
        enter(number, depth + 1);
        if (way < 100) {
          enter(number, depth + 1);
        }
      } else if (way < 500 && depth < 4) {
        if (number + 1 < cells.size()) {
          enter(number + 1 + random.nextInt(cells.size() - number - 1), depth + 1);
        }
      } else if (way < 530) {
        cell.notify();
      } else if (way < 560) {
        cell.notifyAll();
      } else if (way < 580) {
        await(cell, 1);
      } else if (way < 590 && depth == 0) {
        await(cell, 0);
      } else if (way < 650) {
        throw new IllegalStateException();
      } else if (way < 652) {
        try {
          fall(number);
        } catch (StackOverflowError e) {
          // The locks on the way must have been left.
        }
      } else if (way < 700) {
        Thread.yield();
      }
    }

    private int fall(int number) {
      synchronized (cells.get(number)) {
        return fall(number) + 1;
      }
    }

    private void await(Cell cell, long millis) {
      Thread current = Thread.currentThread();
      cell.owner = null;
      try {
        cell.wait(millis);
      } catch (InterruptedException e) {
        if (current.isInterrupted()) {
          fail("still interrupted");
        }
        interrupted.set(false);
      }
      if (cell.owner != null || !Thread.holdsLock(cell)) {
        fail("came back too early");
      }
      cell.owner = current;
    }
  }

  /** Wakes those who wait for ever, and interrupts some. */
  private static void disturb(
      List<Cell> cells, List<Worker> workers, List<Thread> threads, CountDownLatch done) {
    Random random = new Random(1);
    while (done.getCount() > 0) {
      for (Cell cell : cells) {
        synchronized (cell) {
          cell.notifyAll();
        }
      }
      int chosen = random.nextInt(threads.size());
      if (workers.get(chosen).interrupted.compareAndSet(false, true)) {
        threads.get(chosen).interrupt();
      }
      Thread.yield();
    }
  }

  private static void run(String name, List<Cell> cells, int rounds) throws InterruptedException {
    AtomicLong entered = new AtomicLong();
    List<Worker> workers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(THREADS);
    for (int i = 0; i < THREADS; i++) {
      Worker worker = new Worker(cells, i, rounds, entered);
      workers.add(worker);
      Runnable task =
          () -> {
            try {
              worker.run();
            } catch (Throwable e) {
              fail("failed: " + e);
            } finally {
              done.countDown();
            }
          };
      threads.add(i % 2 == 0 ? Thread.ofVirtual().unstarted(task) : new Thread(task));
    }
    threads.forEach(Thread::start);
    disturb(cells, workers, threads, done);
    for (Thread thread : threads) {
      thread.join();
    }
    long sum = 0;
    for (Cell cell : cells) {
      sum += cell.entered;
      if (cell.entered != cell.left || cell.owner != null) {
        fail("a count was lost");
      }
    }
    System.out.println(
        name + " " + cells.size() + (sum == entered.get() ? ": none lost" : ": some were lost"));
  }

  private static List<Cell> cells(int count) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cells.add(new Cell());
    }
    return cells;
  }

  private static List<Cell> alike() {
    Map<Integer, List<Cell>> bySlot = new HashMap<>();
    while (true) {
      Cell cell = new Cell();
      List<Cell> cells =
          bySlot.computeIfAbsent(
              System.identityHashCode(cell) & (SLOTS - 1), slot -> new ArrayList<>());
      cells.add(cell);
      if (cells.size() == ALIKE) {
        return cells;
      }
    }
  }

  /** Of the table, where there is one. */
  private static int used() throws ReflectiveOperationException {
    Class<?> table;
    try {
      table = Class.forName("io.github.vtdiag.boot.LockTable", false, null);
    } catch (ClassNotFoundException e) {
      return 0;
    }
    Field field = table.getDeclaredField("SLOTS");
    field.setAccessible(true);
    AtomicReferenceArray<?> slots = (AtomicReferenceArray<?>) field.get(null);
    if (slots.length() != SLOTS) {
      fail("the table has another size: the objects that are to be alike are not");
    }
    int used = 0;
    for (int i = 0; i < slots.length(); i++) {
      used += slots.get(i) == null ? 0 : 1;
    }
    return used;
  }

  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[0]);
    run("one", cells(1), rounds);
    run("few", cells(3), rounds);
    run("many", cells(300), rounds);
    run("alike", alike(), rounds);
    System.out.println("slots in use: " + used());
    System.out.println("failures: " + FAILURES.get());
  }
}
