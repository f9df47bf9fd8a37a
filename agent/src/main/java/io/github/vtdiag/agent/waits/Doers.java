package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.PoolWorkers;
import io.github.vtdiag.agent.threads.ReflectedField;
import io.github.vtdiag.agent.threads.ThreadInternals;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import io.github.vtdiag.agent.threads.Wakings.Door;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * The threads that others wait for, where the JDK knows them: the thread that is joined, the thread
 * that runs a task, the threads of an executor or a scope that is closed or joined.
 */
final class Doers {
  private static final String VIRTUAL = "java.lang.VirtualThread";
  private static final String EXECUTOR = "java.util.concurrent.ThreadPerTaskExecutor";
  private static final String FLOCK = "jdk.internal.misc.ThreadFlock";
  private static final String POOL = "java.util.concurrent.ThreadPoolExecutor";

  /** Platform threads are asked for seldom: there may be many. */
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int MOST = 2_000;

  private final ThreadInternals internals;
  private final ThreadMXBean times = ManagementFactory.getThreadMXBean();

  /** Without a value on a JDK that keeps them elsewhere: then these threads are unknown. */
  private final ReflectedField runner;

  private final ReflectedField termination;
  private final ReflectedField terminationSignal;
  private final ReflectedField sync;
  private final PoolWorkers pools;

  /** The threads that end before a latch is counted down, by the latch's synchronizer. */
  private final Map<Object, Set<Thread>> ofLatches = new HashMap<>();

  /** The objects for which threads are parked that wait for the end of an open pool. */
  private final Set<Object> open = new HashSet<>();

  /** The threads in the containers that a thread has opened, by the id of that thread. */
  private final Map<Long, Set<Thread>> ofOwners = new HashMap<>();

  /** The processor time of platform threads when they were last asked for. */
  private final Map<Thread, Long> used = new HashMap<>();

  /** The time at which a platform thread was last seen to have run. */
  private final Map<Thread, Long> ran = new HashMap<>();

  private List<Join> ofPlatform = List.of();
  private long lookedNanos = -PERIOD_NANOS;
  private boolean looked;

  /**
   * A waiting thread.
   *
   * @param door what it waits for
   * @param awaited the threads that it waits for
   * @param isOpen whether these are workers of a pool that nobody has shut down
   */
  record Join(Thread waiting, Door door, Set<Thread> awaited, boolean isOpen) {
    private boolean isOfItself() {
      return awaited.equals(Set.of(waiting));
    }
  }

  Doers(Instrumentation instrumentation, ThreadInternals internals) {
    this.internals = internals;
    ThreadInternals.open(instrumentation, "java.lang", "java.util", "java.util.concurrent");
    this.runner = ReflectedField.of(FutureTask.class.getName(), "runner");
    this.termination = ReflectedField.of(VIRTUAL, "termination");
    this.terminationSignal = ReflectedField.of(EXECUTOR, "terminationSignal");
    this.sync = ReflectedField.of(CountDownLatch.class.getName(), "sync");
    this.pools = new PoolWorkers();
  }

  /** Drops what an earlier sample found. */
  void begin() {
    looked = false;
    ofLatches.clear();
    open.clear();
    ofOwners.clear();
    used.keySet().removeIf(thread -> !thread.isAlive());
    ran.keySet().removeIf(thread -> !thread.isAlive());
  }

  /**
   * Returns the threads that a thread waits for; none if they are unknown.
   *
   * @param virtual all virtual threads that are followed
   */
  Set<Thread> of(Thread waiting, Object lock, List<StackTraceElement> stack, Set<Thread> virtual) {
    if (lock instanceof FutureTask<?>) {
      return runner.value(lock) instanceof Thread thread ? Set.of(thread) : Set.of();
    }
    if (!areKnown(lock, stack)) {
      return Set.of();
    }
    if (!looked) {
      look(virtual);
    }
    return lock == null
        ? ofOwners.getOrDefault(waiting.threadId(), Set.of())
        : ofLatches.getOrDefault(lock, Set.of());
  }

  /** Returns whether a thread waits for a task, or for the end of threads. */
  static boolean areKnown(Object lock, List<StackTraceElement> stack) {
    return lock instanceof FutureTask<?>
        || isCall(stack, VIRTUAL)
        || isCall(stack, EXECUTOR)
        || isCall(stack, FLOCK)
        || isCall(stack, POOL);
  }

  /**
   * Returns the platform threads that wait for virtual threads, or for an executor of them, to end.
   *
   * @param virtual all virtual threads that are followed; if there are too many, nothing is
   *     returned
   */
  List<Join> ofPlatform(Set<Thread> virtual, long now) {
    if (now - lookedNanos >= PERIOD_NANOS) {
      lookedNanos = now;
      ofPlatform = virtual.size() > MOST ? List.of() : lookAtPlatform(virtual);
    }
    return ofPlatform.stream()
        .filter(join -> join.door.equals(Door.of(List.of(), internals.blocker(join.waiting))))
        .toList();
  }

  private List<Join> lookAtPlatform(Set<Thread> virtual) {
    if (!looked) {
      look(virtual);
    }
    List<Join> joins = new ArrayList<>();
    for (Thread thread : ThreadSnapshots.platformThreads()) {
      Object blocker = internals.blocker(thread);
      if (blocker != null && ofLatches.containsKey(blocker)) {
        joins.add(join(thread, Door.of(List.of(), blocker), blocker, ofLatches.get(blocker)));
      }
    }
    return joins;
  }

  /** Returns a waiting thread with what is known of the threads that it waits for. */
  Join join(Thread waiting, Door door, Object lock, Set<Thread> awaited) {
    return new Join(waiting, door, awaited, lock != null && open.contains(lock));
  }

  /** Returns whether each thread waits for its own end: that of the program may be meant. */
  static boolean areOfThemselves(List<Join> joins, Collection<Thread> waiting) {
    return !waiting.isEmpty()
        && waiting.stream()
            .allMatch(
                thread ->
                    joins.stream()
                        .anyMatch(join -> join.waiting.equals(thread) && join.isOfItself()));
  }

  private static boolean isCall(List<StackTraceElement> stack, String type) {
    // The stack of each virtual thread begins in that class, too.
    return stack.stream()
        .takeWhile(frame -> !frame.getMethodName().equals("run"))
        .anyMatch(
            frame ->
                frame.getClassName().equals(type)
                    && (frame.getMethodName().startsWith("await")
                        || frame.getMethodName().startsWith("join")));
  }

  private void look(Set<Thread> virtual) {
    looked = true;
    for (Thread thread : virtual) {
      addLatch(termination.value(thread), Set.of(thread));
    }
    for (PoolWorkers.Pool pool : pools.of(virtual)) {
      if (pool.termination() != null && !pool.workers().isEmpty()) {
        ofLatches.put(pool.termination(), pool.workers());
        if (pool.isOpen()) {
          open.add(pool.termination());
        }
      }
    }
    internals.each(
        container -> {
          Set<Thread> members = new HashSet<>();
          container.each(members::add);
          if (container.object().getClass().getName().equals(EXECUTOR)) {
            addLatch(terminationSignal.value(container.object()), members);
          }
          container
              .owner()
              .ifPresent(
                  owner -> ofOwners.computeIfAbsent(owner, id -> new HashSet<>()).addAll(members));
        });
  }

  private void addLatch(Object latch, Set<Thread> threads) {
    Object key = sync.value(latch);
    if (key != null) {
      ofLatches.put(key, threads);
    }
  }

  /**
   * Returns the ids of the threads that have to go on before those at each door can.
   *
   * @param standing the threads that wait at each door, to which these are added
   */
  static Map<Door, Set<Long>> byDoor(List<Join> joins, Map<Door, Set<Long>> standing) {
    Map<Door, Set<Long>> awaited = new HashMap<>();
    for (Join join : joins) {
      if (!join.awaited.isEmpty()) {
        standing.computeIfAbsent(join.door, door -> new HashSet<>()).add(join.waiting.threadId());
        Set<Long> ids = awaited.computeIfAbsent(join.door, door -> new HashSet<>());
        join.awaited.forEach(thread -> ids.add(thread.threadId()));
      }
    }
    return awaited;
  }

  /**
   * Returns for how long a platform thread has used no processor time, as far as was seen.
   *
   * @param unknown the result if it was never seen to run
   */
  long stands(Thread platform, long now, long unknown) {
    long uses = times.getThreadCpuTime(platform.threadId());
    Long before = used.put(platform, uses);
    if (before != null && uses > before) {
      ran.put(platform, now);
    }
    return ran.containsKey(platform) ? now - ran.get(platform) : unknown;
  }
}
