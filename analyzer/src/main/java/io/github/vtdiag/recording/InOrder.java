package io.github.vtdiag.recording;

import java.util.ArrayDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Processes the elements of a source in several threads, and returns the results in the order of
 * the source. With one processor there would be no gain, so there are no threads then.
 *
 * <p>Only one thread uses the source, and no two threads use one maker at a time.
 */
final class InOrder<S, T> implements AutoCloseable {
  /** The most threads; more would not be faster than a disk. */
  private static final int MOST_THREADS = 8;

  /** The heap for each thread, as a power of two: elements in progress take memory. */
  private static final int HEAP_SHIFT = 27;

  private final Supplier<S> source;
  private final Supplier<Function<S, T>> newMaker;
  private final ArrayDeque<Function<S, T>> idle = new ArrayDeque<>();
  private final ExecutorService reader;
  private final ExecutorService workers;
  private final Semaphore room;
  private final BlockingQueue<CompletableFuture<T>> made = new LinkedBlockingQueue<>();
  private boolean first = true;

  /**
   * @param source returns null at its end, and is not called again
   * @param newMaker creates a maker, which returns no null
   * @param withThreads whether threads may be started
   */
  InOrder(Supplier<S> source, Supplier<Function<S, T>> newMaker, boolean withThreads) {
    this.source = source;
    this.newMaker = newMaker;
    int count = withThreads ? threads(Runtime.getRuntime()) : 1;
    reader = count == 1 ? null : threads(1, "vtdiag-reader");
    workers = count == 1 ? null : threads(count, "vtdiag-decoder");
    // Each element is fetched, then processed; this number in progress keeps the processors busy.
    room = new Semaphore(count);
  }

  private static int threads(Runtime jvm) {
    long byMemory = Math.max(1, jvm.maxMemory() >> HEAP_SHIFT);
    return (int) Math.min(Math.min(jvm.availableProcessors(), MOST_THREADS), byMemory);
  }

  private static ExecutorService threads(int count, String name) {
    return Executors.newFixedThreadPool(
        count, task -> Thread.ofPlatform().name(name).daemon().unstarted(task));
  }

  /** Returns the result for the next element, or null if there is none. */
  T next() {
    if (reader == null) {
      S thing = source.get();
      return thing == null ? null : make(thing);
    }
    if (first) {
      first = false;
      reader.execute(this::readAll);
    }
    try {
      T result = made.take().join();
      room.release();
      return result;
    } catch (CompletionException e) {
      throw unwrapped(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a recording was read", e);
    }
  }

  private void readAll() {
    try {
      while (true) {
        room.acquire();
        S thing = source.get();
        if (thing == null) {
          made.add(CompletableFuture.completedFuture(null));
          return;
        }
        made.add(CompletableFuture.supplyAsync(() -> make(thing), workers));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    } catch (RuntimeException | Error e) {
      made.add(CompletableFuture.failedFuture(e));
    }
  }

  private T make(S thing) {
    Function<S, T> maker;
    synchronized (idle) {
      maker = idle.poll();
    }
    if (maker == null) {
      maker = newMaker.get();
    }
    T result = maker.apply(thing);
    synchronized (idle) {
      idle.push(maker);
    }
    return result;
  }

  private static RuntimeException unwrapped(CompletionException e) {
    return switch (e.getCause()) {
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      default -> e;
    };
  }

  /** Does not wait for a source that hangs; the threads are daemons. */
  @Override
  public void close() {
    if (reader != null) {
      reader.shutdownNow();
      workers.shutdownNow();
    }
  }
}
