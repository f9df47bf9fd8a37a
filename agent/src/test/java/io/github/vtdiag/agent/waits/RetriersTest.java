package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.ends.LoopTargetsTest;
import io.github.vtdiag.agent.threads.Wakings.Door;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RetriersTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final List<StackTraceElement> CLIENT =
      List.of(new StackTraceElement("app.Client", "ask", "", 1));

  /** A service that refuses all calls. */
  static final class Refusing {
    private final AtomicReference<CompletableFuture<Integer>> next =
        new AtomicReference<>(new CompletableFuture<>());
    private boolean refuses = true;

    void call() throws IOException {
      if (refuses) {
        throw new IOException("refused");
      }
    }

    void callAgain() throws InterruptedException {
      while (true) {
        try {
          call();
          return;
        } catch (IOException e) {
          Thread.sleep(100_000);
        }
      }
    }

    int awaitAgain() {
      while (true) {
        try {
          return next.get().join();
        } catch (CompletionException e) {
          // The next one may be there.
        }
      }
    }

    int awaitAllAgain() {
      while (true) {
        try {
          return sum();
        } catch (CompletionException e) {
          // The next ones may be there.
        }
      }
    }

    private int sum() {
      int sum = 0;
      for (int i = 0; i < 1_000; i++) {
        sum += next.get().join();
      }
      return sum;
    }

    @SuppressWarnings("InfiniteLoop")
    void callForEver() throws InterruptedException {
      while (true) {
        callAgain();
      }
    }

    boolean isInterrupted() {
      return Thread.currentThread().isInterrupted();
    }

    void serve() throws InterruptedException {
      while (!isInterrupted()) {
        Thread.sleep(100_000);
      }
    }
  }

  private interface Body {
    void run() throws InterruptedException;
  }

  private final Retriers retriers = new Retriers(LoopTargetsTest.CLASSES);
  private final Refusing service = new Refusing();
  private Thread thread;

  @AfterEach
  void end() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }

  private void start(Body body) {
    thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    body.run();
                  } catch (InterruptedException e) {
                    // It has been seen.
                  }
                });
    while (thread.getState() != Thread.State.TIMED_WAITING
        && thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  /** Returns for how long it has tried in vain after so many seconds. */
  private long afterSeconds(int from, int to, boolean ran) {
    long nanos = 0;
    for (int second = from; second <= to; second++) {
      retriers.begin();
      nanos = retriers.inVain(thread, ran, CLIENT, second * SECOND);
    }
    return nanos / SECOND;
  }

  @Test
  void triesInVain() {
    start(service::callAgain);
    assertEquals(0, afterSeconds(1, 3, true), "too seldom");
    assertEquals(Optional.empty(), awaited());
    assertEquals(29, afterSeconds(4, 30, true));
    assertEquals(Optional.of(Refusing.class.getName() + ".callAgain"), awaited());
  }

  private Optional<String> awaited() {
    Doers.Join join = new Doers.Join(thread, new Door(CLIENT, 0), Set.of(thread), false);
    return retriers.awaited(List.of(thread), List.of(join));
  }

  @Test
  void sleepsLong() {
    start(service::callAgain);
    assertEquals(0, afterSeconds(1, 30, false));
  }

  @Test
  void othersGetThrough() {
    start(service::callAgain);
    afterSeconds(1, 20, true);
    retriers.left(CLIENT, 20 * SECOND);
    assertEquals(10, afterSeconds(21, 30, true));
  }

  @Test
  void isAServiceIfAnotherLoopLeadsBack() {
    start(service::callForEver);
    assertEquals(0, afterSeconds(1, 30, true));
  }

  @Test
  void isAServiceUntilItIsInterrupted() {
    start(service::serve);
    assertEquals(0, afterSeconds(1, 30, true));
  }

  /** Looks each second, after what it waited for has ended. */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  private long afterEachEnds(Consumer<CompletableFuture<Integer>> end) {
    long nanos = 0;
    for (int second = 1; second <= 20; second++) {
      nanos = afterSeconds(second, second, true);
      CompletableFuture<Integer> last = service.next.getAndSet(new CompletableFuture<>());
      Object blocker = LockSupport.getBlocker(thread);
      end.accept(last);
      while (LockSupport.getBlocker(thread) == blocker
          || LockSupport.getBlocker(thread) == null
          || thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    service.next.get().complete(1);
    return nanos;
  }

  @Test
  void eachRoundFails() {
    start(service::awaitAgain);
    assertEquals(19, afterEachEnds(last -> last.completeExceptionally(new IOException())));
  }

  @Test
  void oneRoundTakesLong() {
    start(service::awaitAllAgain);
    assertEquals(0, afterEachEnds(last -> last.complete(1)));
  }
}
