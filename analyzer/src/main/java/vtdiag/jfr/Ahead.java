package vtdiag.jfr;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Takes things from a source one ahead of the one that is asked for, in a thread of its own. With
 * one processor that would bring nothing, so there is no thread then.
 *
 * <p>What the source does for a thing happens before {@link #next} returns it, and what the caller
 * did with a thing happens before the source is asked for the next but one.
 */
public final class Ahead<T> implements AutoCloseable {
  private final Supplier<T> source;
  private final ExecutorService thread;
  private CompletableFuture<T> ahead;

  /**
   * @param source gives null at its end, and is not asked again
   */
  public Ahead(Supplier<T> source) {
    this.source = source;
    thread =
        Runtime.getRuntime().availableProcessors() == 1
            ? null
            : Executors.newSingleThreadExecutor(
                task -> Thread.ofPlatform().name("vtdiag-reader").daemon().unstarted(task));
    ahead = fetch();
  }

  public T next() {
    try {
      T result = ahead.join();
      if (result != null) {
        ahead = fetch();
      }
      return result;
    } catch (CompletionException e) {
      throw unwrapped(e);
    }
  }

  private CompletableFuture<T> fetch() {
    return thread == null
        ? CompletableFuture.completedFuture(source.get())
        : CompletableFuture.supplyAsync(source, thread);
  }

  private static RuntimeException unwrapped(CompletionException e) {
    return switch (e.getCause()) {
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      default -> e;
    };
  }

  /** Does not wait for a source that hangs; the thread is a daemon. */
  @Override
  public void close() {
    if (thread != null) {
      thread.shutdownNow();
    }
  }
}
