package io.github.vtdiag.agent.threads;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.waits.LongWait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Follows virtual threads from look to look while they wait, to tell those that have not run since
 * from those that come back to the same place. A thread that was mounted has run, whatever its
 * stack looks like; so this needs the hook that notes mounts. While threads go on from a place,
 * those that still wait there are slow, and not stalled: their time counts from when the last one
 * went on.
 */
final class LongWaits {
  /** Threads that are followed at a time; each takes some 100 bytes. */
  private static final int MOST = 20_000;

  /** Threads on further different stacks are not followed. */
  private static final int STACKS = 500;

  /** So long after a thread went on, the others at its place are judged by themselves. */
  private static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** One thread that is followed. */
  private static final class Followed {
    List<StackTraceElement> stack;
    Thread.State state;
    Object lock;
    long nanos;
    boolean moved;
    boolean returned;
  }

  private record Place(List<StackTraceElement> stack, Thread.State state, String lockClass) {}

  /**
   * Where threads wait for the same thing.
   *
   * @param stack where they wait, if they do not say for what; else empty
   * @param lock the identity hash of what they are parked for; 0 if they do not say
   */
  private record Door(List<StackTraceElement> stack, int lock) {}

  /**
   * The threads at one place that have waited for long.
   *
   * @param lockIdentity of what they are parked for, if that is one object, else 0
   * @param returned those that had waited there before, and had gone on
   */
  record Group(
      List<StackTraceElement> stack,
      Thread.State state,
      String lockClass,
      int lockIdentity,
      int threads,
      int returned,
      long longestNanos) {}

  private final ThreadInternals internals;
  private final Map<Thread, Followed> followed = new HashMap<>();

  /** Each stack once: thousands of threads share a few. */
  private final Map<List<StackTraceElement>, List<StackTraceElement>> stacks = new HashMap<>();

  /** The time of this look, counted without that in which the JVM was stopped. */
  private long now;

  /** Whether any thread was seen to go on: then a hook that works has noted mounts. */
  private boolean anyMoved;

  /** When a thread was last seen to have gone on from there. */
  private final Map<Door, Long> left = new HashMap<>();

  LongWaits(ThreadInternals internals) {
    this.internals = internals;
  }

  /**
   * Begins a look: who has run since the last one has not waited for long.
   *
   * @param elapsedNanos the time since then, without that in which the JVM was stopped
   */
  void begin(long elapsedNanos) {
    now += elapsedNanos;
    left.values().removeIf(at -> now - at > FORGET_NANOS);
    Iterator<Map.Entry<Thread, Followed>> each = followed.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Thread, Followed> next = each.next();
      if (!next.getKey().isAlive()) {
        leave(next.getValue());
        each.remove();
      } else if (stands(next.getKey(), next.getValue())) {
        next.getValue().nanos += elapsedNanos;
      } else {
        leave(next.getValue());
      }
    }
  }

  /** Notes that a thread has gone on; one whose time was over has not got what it waited for. */
  private void leave(Followed wait) {
    if (!wait.moved && wait.state != Thread.State.TIMED_WAITING) {
      left.put(door(wait), now);
    }
    wait.moved = true;
    anyMoved = true;
  }

  private static Door door(Followed wait) {
    return wait.lock == null
        ? new Door(wait.stack, 0)
        : new Door(List.of(), System.identityHashCode(wait.lock));
  }

  /** How long it has waited while nobody else went on from there. */
  private long stood(Followed wait) {
    Long at = left.get(door(wait));
    return at == null ? wait.nanos : Math.min(wait.nanos, now - at);
  }

  @SuppressWarnings("ReferenceEquality") // one object or not is the question
  private boolean stands(Thread thread, Followed wait) {
    return !Mounts.wasMounted(thread.threadId())
        && !wait.moved
        && internals.carrier(thread) == null
        && internals.blocker(thread) == wait.lock
        && thread.getState() == wait.state;
  }

  /** Follows a thread that waits. */
  void add(Thread thread, Thread.State state, Object lock, List<StackTraceElement> stack) {
    Followed wait = followed.get(thread);
    if (wait != null && !wait.moved) {
      return;
    }
    boolean full = wait == null && followed.size() == MOST;
    if (full || (stacks.size() == STACKS && !stacks.containsKey(stack))) {
      return;
    }
    if (wait == null) {
      wait = new Followed();
      followed.put(thread, wait);
    } else {
      wait.returned = wait.stack.equals(stack);
    }
    // What was noted before belongs to the way here.
    Mounts.wasMounted(thread.threadId());
    wait.stack = stacks.computeIfAbsent(stack, same -> same);
    wait.state = state;
    wait.lock = lock;
    wait.nanos = 0;
    wait.moved = false;
  }

  /** Whether mounts are noted: another agent may have taken the hook away. */
  boolean areKnown() {
    return !anyMoved || Mounts.total() > 0;
  }

  /** Those that have waited for long, by place; none where that is not known. */
  List<Group> groups() {
    if (!areKnown()) {
      return List.of();
    }
    Map<Place, List<Followed>> places = new LinkedHashMap<>();
    for (Followed wait : followed.values()) {
      if (!wait.moved && stood(wait) >= LongWait.SHORTEST_NANOS) {
        String lockClass = wait.lock == null ? "" : wait.lock.getClass().getName();
        places
            .computeIfAbsent(new Place(wait.stack, wait.state, lockClass), p -> new ArrayList<>())
            .add(wait);
      }
    }
    return places.entrySet().stream().map(each -> group(each.getKey(), each.getValue())).toList();
  }

  @SuppressWarnings("ReferenceEquality") // one object or not is the question
  private Group group(Place place, List<Followed> waits) {
    Object lock = waits.getFirst().lock;
    boolean one = lock != null && waits.stream().allMatch(wait -> wait.lock == lock);
    return new Group(
        place.stack,
        place.state,
        place.lockClass,
        one ? System.identityHashCode(lock) : 0,
        waits.size(),
        (int) waits.stream().filter(wait -> wait.returned).count(),
        waits.stream().mapToLong(this::stood).max().getAsLong());
  }
}
