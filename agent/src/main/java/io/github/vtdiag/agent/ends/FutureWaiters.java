package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ReflectedField;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Finds what threads are parked for that wait for a future, or for one that is made of it. */
final class FutureWaiters {
  /** The number of waiting threads and dependent futures that are visited. */
  private static final int MOST = 10_000;

  private final ReflectedField stack =
      ReflectedField.of(CompletableFuture.class.getName(), "stack");
  private final ReflectedField next =
      ReflectedField.of("java.util.concurrent.CompletableFuture$Completion", "next");
  private final ReflectedField dependent =
      ReflectedField.of("java.util.concurrent.CompletableFuture$UniCompletion", "dep");

  /**
   * Adds the objects that threads are parked for until the future is completed.
   *
   * @param found a set by identity
   */
  void addTo(Set<Object> found, CompletableFuture<?> future) {
    Deque<Object> futures = new ArrayDeque<>();
    futures.add(future);
    int left = MOST;
    while (!futures.isEmpty()) {
      Object waiting = stack.value(futures.remove());
      while (waiting != null && left > 0 && found.add(waiting)) {
        left--;
        Object made = dependent.value(waiting);
        if (made != null) {
          futures.add(made);
        }
        waiting = next.value(waiting);
      }
    }
  }
}
