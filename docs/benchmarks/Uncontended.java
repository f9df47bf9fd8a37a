package uncontended;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What it costs one thread to enter and leave: a synchronized method, a block on an object of
 * another class, and a block on an object whose type does not tell whether the JDK locks it too.
 * All are locks of the table, once the what-if rewrote them. For comparison, a hand-written
 * ReentrantLock.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Uncontended {
  /** How many rewritten classes the program has used: with one only, the JIT knows which it is. */
  @Param({"1", "5"})
  public int classes;

  static final class Guarded {
    private final Object other = new Object();
    private Object open = new Object();
    private long count;

    synchronized long method() {
      return ++count;
    }

    long block() {
      synchronized (other) {
        return ++count;
      }
    }

    long openBlock() {
      synchronized (open) {
        return ++count;
      }
    }
  }

  static final class HandWritten {
    private final ReentrantLock lock = new ReentrantLock();
    private long count;

    long method() {
      lock.lock();
      try {
        return ++count;
      } finally {
        lock.unlock();
      }
    }
  }

  static final class Second implements LongSupplier {
    @Override
    public synchronized long getAsLong() {
      return 2;
    }
  }

  static final class Third implements LongSupplier {
    @Override
    public synchronized long getAsLong() {
      return 3;
    }
  }

  static final class Fourth implements LongSupplier {
    @Override
    public synchronized long getAsLong() {
      return 4;
    }
  }

  static final class Fifth implements LongSupplier {
    @Override
    public synchronized long getAsLong() {
      return 5;
    }
  }

  private final Guarded guarded = new Guarded();
  private final HandWritten handWritten = new HandWritten();

  @Setup
  public void useOthers() {
    // As in a program that has run for a while: with G1, storing to an old table costs a fence.
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    if (classes > 1) {
      for (LongSupplier other : List.of(new Second(), new Third(), new Fourth(), new Fifth())) {
        for (int i = 0; i < 100_000; i++) {
          other.getAsLong();
        }
      }
    }
  }

  @Benchmark
  public long method() {
    return guarded.method();
  }

  @Benchmark
  public long block() {
    return guarded.block();
  }

  @Benchmark
  public long openBlock() {
    return guarded.openBlock();
  }

  @Benchmark
  public long handWrittenLock() {
    return handWritten.method();
  }
}
