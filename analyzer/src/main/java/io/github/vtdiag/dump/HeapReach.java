package io.github.vtdiag.dump;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.netbeans.lib.profiler.heap.FieldValue;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.Value;

/**
 * Finds the threads that can reach the objects that others wait for. If only threads that wait for
 * such objects themselves can, nobody is left to release, complete or signal them. Go's profile of
 * leaked goroutines uses the same idea. A reference counts however weak it is.
 */
final class HeapReach {
  /** The most references behind which an object is private to a few threads. */
  private static final int MOST_OBJECTS = 10_000;

  /** The most objects that are examined; each thread that joins a future has one of its own. */
  private static final int MOST_AWAITED = 2_000;

  private final HeapFields fields;
  private final HeapLocks locks;
  private final Set<Long> roots;

  /**
   * @param roots the objects that the JVM itself refers to, or native code
   */
  HeapReach(HeapFields fields, HeapLocks locks, Set<Long> roots) {
    this.fields = fields;
    this.locks = locks;
    this.roots = roots;
  }

  /**
   * The threads that can end the waits of others.
   *
   * @param stranded the threads whose wait nobody can end
   * @param reachedBy the threads that can reach an awaited object, where these are a few
   */
  record Result(Set<Long> stranded, Map<Instance, Set<Long>> reachedBy) {
    static final Result NOT_KNOWN = new Result(Set.of(), Map.of());
  }

  /**
   * Finds the threads that can end the waits of others.
   *
   * @param awaited what threads wait for without a timeout, by the thread as an object
   * @param stackless the threads whose frames' references are unknown
   */
  Result find(Map<Long, Instance> awaited, Set<Long> stackless) {
    Map<Long, Instance> objects = new LinkedHashMap<>();
    awaited.values().forEach(object -> objects.put(object.getInstanceId(), object));
    if (objects.size() > MOST_AWAITED || !awaited.keySet().containsAll(stackless)) {
      return Result.NOT_KNOWN;
    }
    Map<Instance, Set<Long>> reachedBy = new LinkedHashMap<>();
    objects
        .values()
        .forEach(object -> reachedBy(object).ifPresent(by -> reachedBy.put(object, by)));
    Set<Long> stranded = new HashSet<>(awaited.keySet());
    // A thread that can go on may free those whose objects it reaches, and so on.
    while (stranded.removeIf(
        thread -> {
          Set<Long> threads = reachedBy.get(objects.get(awaited.get(thread).getInstanceId()));
          return threads == null || !stranded.containsAll(threads);
        })) {}
    return stranded.containsAll(stackless) ? new Result(stranded, reachedBy) : Result.NOT_KNOWN;
  }

  /**
   * Returns the threads that can reach an object; empty if every thread can, or that is not known.
   */
  private Optional<Set<Long>> reachedBy(Instance object) {
    Set<Long> threads = new HashSet<>();
    Set<Long> seen = new HashSet<>(Set.of(object.getInstanceId()));
    Deque<Instance> open = new ArrayDeque<>(Set.of(object));
    while (!open.isEmpty()) {
      Instance next = open.remove();
      threads.addAll(locks.framesThatReferTo(next));
      if (fields.isAlive(next)) {
        threads.add(next.getInstanceId());
        if (HeapFields.isThreadOfTheJdk(next)) {
          continue; // No other thread can reach its fields.
        }
      } else if (roots.contains(next.getInstanceId())) {
        return Optional.empty();
      }
      for (Object each : next.getReferences()) {
        Value value = (Value) each;
        Instance from = value.getDefiningInstance();
        if (from == null || (value instanceof FieldValue field && field.getField().isStatic())) {
          return Optional.empty();
        }
        if (seen.add(from.getInstanceId())) {
          open.add(from);
        }
      }
      if (seen.size() > MOST_OBJECTS) {
        return Optional.empty();
      }
    }
    return Optional.of(threads);
  }
}
