package io.github.vtdiag.upgrade;

import io.github.vtdiag.upgrade.LibraryCode.Call;
import io.github.vtdiag.upgrade.LibraryCode.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds the shortest path through a library's code from one recorded frame to the next. */
final class CallPaths {
  /** The most methods that may have come between two that were one call apart. */
  private static final int MOST_BETWEEN = 3;

  /** The most methods that are searched; beyond it a path would be found by chance. */
  private static final int MOST_METHODS = 1_500;

  private static final Set<String> LOCK_METHODS =
      Set.of("lock", "lockInterruptibly", "tryLock", "acquire", "await", "awaitNanos");

  private static final Set<String> LOCKS =
      Set.of(
          "java.util.concurrent.locks.Lock",
          "java.util.concurrent.locks.ReentrantLock",
          "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock",
          "java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock",
          "java.util.concurrent.locks.StampedLock",
          "java.util.concurrent.locks.Condition",
          "java.util.concurrent.Semaphore");

  /** The most calls of a lock's wrapper, which does little else. */
  private static final int CALLS_OF_A_WRAPPER = 6;

  /**
   * A method on a path, and its calls that lead on.
   *
   * @param calls more than one if it calls the same method in several places
   */
  record Step(Method method, List<Call> calls) {
    boolean holds() {
      return calls.stream().anyMatch(method::holdsAround);
    }
  }

  private record Reached(Method method, int depth) {}

  private final LibraryCode code;

  CallPaths(LibraryCode code) {
    this.code = code;
  }

  /** Finds the steps to a wanted call, from the first method on; empty if there are none. */
  Optional<List<Step>> find(Method from, Predicate<Call> isWanted) {
    Deque<Reached> open = new ArrayDeque<>();
    Map<Method, Step> cameFrom = new HashMap<>();
    open.add(new Reached(from, 0));
    cameFrom.put(from, null);
    while (!open.isEmpty() && cameFrom.size() < MOST_METHODS) {
      Reached next = open.poll();
      List<Call> wanted = next.method().calls().stream().filter(isWanted).toList();
      if (!wanted.isEmpty()) {
        return Optional.of(way(new Step(next.method(), wanted), cameFrom));
      }
      if (next.depth() == MOST_BETWEEN) {
        continue;
      }
      for (Call call : next.method().calls()) {
        if (!code.has(call.owner())) {
          continue;
        }
        for (Method target : code.targets(call)) {
          if (!cameFrom.containsKey(target)) {
            List<Call> same =
                next.method().calls().stream()
                    .filter(
                        other ->
                            other.owner().equals(call.owner())
                                && other.name().equals(call.name())
                                && other.descriptor().equals(call.descriptor()))
                    .toList();
            cameFrom.put(target, new Step(next.method(), same));
            open.add(new Reached(target, next.depth() + 1));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static List<Step> way(Step last, Map<Method, Step> cameFrom) {
    List<Step> way = new ArrayList<>();
    for (Step step = last; step != null; step = cameFrom.get(step.method())) {
      way.add(step);
    }
    return way.reversed();
  }

  /** Returns whether a method takes a lock of java.util.concurrent, by itself or by a wrapper. */
  boolean locks(Method method) {
    return method.calls().stream().anyMatch(this::locks);
  }

  private boolean locks(Call call) {
    if (isLock(call)) {
      return true;
    }
    return code.has(call.owner())
        && code.targets(call).stream()
            .anyMatch(
                target ->
                    target.calls().size() <= CALLS_OF_A_WRAPPER
                        && target.calls().stream().anyMatch(this::isLock)
                        && target.calls().stream().noneMatch(of -> of.name().equals("unlock")));
  }

  private boolean isLock(Call call) {
    return LOCK_METHODS.contains(call.name())
        && (LOCKS.contains(call.owner())
            || (code.has(call.owner()) && code.isA(call.owner(), LOCKS)));
  }
}
