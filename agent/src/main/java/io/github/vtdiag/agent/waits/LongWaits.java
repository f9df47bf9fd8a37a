package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.PeriodicTasks;
import io.github.vtdiag.agent.ends.WaitGroup;
import io.github.vtdiag.agent.threads.ThreadInternals;
import io.github.vtdiag.agent.threads.TimedPlaces;
import io.github.vtdiag.agent.threads.Wakings;
import io.github.vtdiag.agent.threads.Wakings.Door;
import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.waits.LongWait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Follows waiting virtual threads from sample to sample. It distinguishes threads that have not run
 * since from threads that come back to the same place. A thread that was mounted has run, whatever
 * its stack looks like; so this needs the hooks that note mounts and wakers. While threads go on
 * from a place, those that still wait there are slow and not stalled: their time counts from when
 * the last one went on.
 */
final class LongWaits {
  /** The number of threads that are followed at a time; each takes some 100 bytes. */
  private static final int MOST = 20_000;

  /** The number of different stacks; threads on further stacks are not followed. */
  private static final int STACKS = 500;

  /** The time after which a thread that went on no longer matters for the others at its place. */
  private static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final ThreadInternals internals;
  private final Doers doers;
  private final Retriers retriers;

  private final Map<Thread, FollowedThread> followed = new HashMap<>();

  /** Each stack once: thousands of threads share a few. */
  private final Map<List<StackTraceElement>, List<StackTraceElement>> stacks = new HashMap<>();

  /** The time of this sample, counted without the time in which the JVM was stopped. */
  private long now;

  /** Set once a thread was seen to go on: from then on a working hook has noted mounts. */
  private boolean anyMoved;

  /** The time at which a thread was last seen to have gone on from a door. */
  private final Map<Door, Long> left = new HashMap<>();

  private final TimedPlaces timedPlaces = new TimedPlaces();
  private final Wakings wakings = new Wakings(id -> IdleTimers.has(id, followed));
  private long look;

  /** True if all threads are examined, so that one that was not seen before has come since. */
  private boolean complete;

  /** The threads that wait for others to end, where these are known. */
  private final List<Doers.Join> joins = new ArrayList<>();

  private final OncePerStack forRoom = new OncePerStack(Wakings::isForRoom);
  private final TimedWakes timedWakes = new TimedWakes();
  private final PeriodicTasks periodic = new PeriodicTasks();

  /** The length from which a wait is long. */
  private long shortestNanos = LongWait.SHORTEST_NANOS;

  LongWaits(ThreadInternals internals, Doers doers, Retriers retriers) {
    this.internals = internals;
    this.doers = doers;
    this.retriers = retriers;
  }

  /**
   * Begins a sample: a thread that has run since the last one has not waited for long.
   *
   * @param elapsedNanos the time since then, without the time in which the JVM was stopped
   */
  void begin(long elapsedNanos) {
    now += elapsedNanos;
    look++;
    timedWakes.begin();
    doers.begin();
    retriers.begin();
    timedPlaces.begin(now);
    left.values().removeIf(at -> now - at > FORGET_NANOS);
    Iterator<Map.Entry<Thread, FollowedThread>> each = followed.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Thread, FollowedThread> next = each.next();
      if (!next.getKey().isAlive()) {
        leave(next.getKey(), next.getValue());
        each.remove();
      } else if (stands(next.getKey(), next.getValue())) {
        next.getValue().nanos += elapsedNanos;
        seeTimed(next.getValue());
      } else {
        leave(next.getKey(), next.getValue());
      }
    }
  }

  /** Notes that a thread has gone on. One whose timeout expired did not get what it waited for. */
  private void leave(Thread thread, FollowedThread wait) {
    if (!wait.moved) {
      long waker = takeWaker(thread, wait, look);
      if (wait.state == Thread.State.TIMED_WAITING) {
        timedWakes.left(thread, wait.place().timed(), wait.door(), waker, wait.nanos > 0);
      }
      if (waker != 0 || wait.state != Thread.State.TIMED_WAITING) {
        left.put(wait.door(), now);
        if (Doers.areKnown(wait.lock, wait.stack)) {
          retriers.left(wait.stack, now);
        }
      }
    }
    wait.moved = true;
    anyMoved = true;
  }

  /** The thread that woke it, which is noted at what it waited for; 0 if no other thread did. */
  private long takeWaker(Thread thread, FollowedThread wait, long at) {
    long waker =
        WaitGroup.isAsleep(wait.stack) ? 0 : wakings.waker(Mounts.takeWaker(thread.threadId()));
    if (waker != 0) {
      boolean asks = !TimedPlaces.isHandedOver(wait.lock) && !forRoom.test(wait.stack);
      wakings.add(wait.door(), asks, thread.threadId(), waker, at);
    }
    return waker;
  }

  /** Returns where a thread waits with a timeout; empty if it does not. */
  private Optional<TimedPlaces.Place> waitsAt(Thread thread) {
    return Optional.ofNullable(followed.get(thread))
        .filter(wait -> !wait.moved && wait.state == Thread.State.TIMED_WAITING)
        .map(wait -> wait.place().timed());
  }

  private void seeTimed(FollowedThread wait) {
    if (wait.state == Thread.State.TIMED_WAITING) {
      boolean goesOn =
          TimedPlaces.isHandedOver(wait.lock)
              ? !stands(internals.owner(wait.lock)) // The next owner is not noted.
              : doers(wait).stream().anyMatch(doer -> stands(doer, now, wait) == 0);
      if (goesOn) {
        timedPlaces.woken(wait.place().timed());
        return;
      }
      timedPlaces.seen(
          wait.place().timed(), wait.lock == null ? 0 : System.identityHashCode(wait.lock), now);
    }
  }

  /** Returns the threads that try in vain what others wait for. */
  Retriers retriers() {
    return retriers;
  }

  /** Returns the record of wakers. */
  Wakings wakings() {
    return wakings;
  }

  /** Returns whether the owner of a lock has ended, or was seen to wait and has not gone on. */
  private boolean stands(Thread owner) {
    FollowedThread known = followed.get(owner);
    return owner != null && (!owner.isAlive() || (known != null && !known.moved));
  }

  /**
   * Returns how long it has waited while no other thread went on from there. If it waits for
   * certain threads, they must not have run either.
   */
  private long stood(FollowedThread wait) {
    Long at = left.get(wait.door());
    long stood =
        periodic.inVain(wait.lock, at == null ? wait.nanos : Math.min(wait.nanos, now - at));
    if (stood >= shortestNanos) {
      boolean ofTask = wait.lock instanceof FutureTask<?>;
      Door alike = ofTask ? Door.ofTasks(wait.stack) : Door.of(wait.stack, null);
      Set<Thread> known = doers(wait);
      for (Thread doer : known) {
        stood = Math.min(stood, stands(doer, stood, wait));
        if (stood == 0) {
          left.put(alike, now);
        }
      }
      if (known.isEmpty() && ofTask && left.containsKey(alike)) {
        // Nobody runs it yet: it waits for the tasks that run.
        stood = Math.min(stood, now - left.get(alike));
      }
    }
    return stood;
  }

  private Set<Thread> doers(FollowedThread wait) {
    return doers.of(wait.thread, wait.lock, wait.stack, followed.keySet());
  }

  /** Returns how long that thread has not run, or has tried in vain, as far as is known. */
  private long stands(Thread doer, long unknown, FollowedThread waiting) {
    FollowedThread known = followed.get(doer);
    if (known != null) {
      long stood = known.moved ? 0 : known.nanos;
      return Math.max(stood, retriers.inVain(doer, stood == 0, waiting.stack, now));
    }
    if (doer.isVirtual()) {
      return complete && doer.isAlive() ? 0 : unknown; // It was never seen to wait.
    }
    return doers.stands(doer, now, unknown);
  }

  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  private boolean stands(Thread thread, FollowedThread wait) {
    return !Mounts.wasMounted(thread.threadId())
        && !wait.moved
        && internals.carrier(thread) == null
        && internals.blocker(thread) == wait.lock
        && thread.getState() == wait.state;
  }

  /**
   * Sets whether all threads are examined.
   *
   * @param all if false, a thread that is seen for the first time may have been there before
   */
  void setComplete(boolean all) {
    complete = all;
  }

  /**
   * Prepares the last sample. Other samples learn from the one before which wakers matter, so this
   * one finds out by itself.
   */
  void end() {
    shortestNanos = LongWait.SHORTEST_AT_END_NANOS;
    groups();
  }

  /**
   * Returns the stack of a thread that has not run since it was last seen, which is the same still;
   * empty if it has, or is not followed. To read one takes most of the time of a sample.
   */
  Optional<List<StackTraceElement>> standing(Thread thread) {
    return Optional.ofNullable(followed.get(thread))
        .filter(wait -> !wait.moved)
        .map(wait -> wait.stack);
  }

  /** Follows a thread that waits, and returns whether it has run since it was last seen. */
  boolean add(Thread thread, Thread.State state, Object lock, List<StackTraceElement> stack) {
    FollowedThread wait = followed.get(thread);
    if (wait != null && !wait.moved) {
      return false;
    }
    boolean full = wait == null && followed.size() == MOST;
    if (full || (stacks.size() == STACKS && !stacks.containsKey(stack))) {
      return true;
    }
    if (wait == null) {
      wait = new FollowedThread(thread);
      followed.put(thread, wait);
    }
    // Mounts and wake-ups noted until now belong to the way here.
    Mounts.wasMounted(thread.threadId());
    boolean asleep = WaitGroup.isAsleep(stack);
    boolean first = wait.last == null;
    wait.returned = !asleep && stack.equals(wait.last);
    int identity = lock == null ? 0 : System.identityHashCode(lock);
    wait.renewed = wait.returned && identity != 0 && wait.lastLock != identity;
    wait.came = complete ? look : 0;
    wait.stack = stacks.computeIfAbsent(stack, same -> same);
    wait.state = state;
    wait.lock = lock;
    wait.nanos = 0;
    wait.moved = false;
    if (wait.returned || (first && lock != null)) {
      // It may have waited for this object before, or for another one, and nobody saw it.
      takeWaker(thread, wait, wait.returned ? look : 0);
    } else if (!asleep) {
      Mounts.takeWaker(thread.threadId());
    }
    if (!asleep) {
      wait.last = wait.stack;
      wait.lastLock = identity;
    }
    seeTimed(wait);
    return true;
  }

  /** Returns the threads that have waited for long for others to end; filled by {@link #groups}. */
  List<Doers.Join> joins() {
    return joins;
  }

  /** Returns whether mounts are noted: another agent may have removed the hook. */
  boolean areKnown() {
    return !anyMoved || Mounts.total() > 0;
  }

  /** Returns the threads that have waited for long, by place; none where that is unknown. */
  List<WaitGroup> groups() {
    if (!areKnown()) {
      return List.of();
    }
    Map<FollowedThread.Place, List<FollowedThread>> places = new LinkedHashMap<>();
    Map<Door, Set<Long>> waiting = new HashMap<>();
    Map<Door, Set<Long>> standing = new HashMap<>();
    joins.clear();
    followed.forEach(
        (thread, wait) -> {
          if (!wait.moved) {
            waiting.computeIfAbsent(wait.door(), door -> new HashSet<>()).add(thread.threadId());
            if (stood(wait) >= shortestNanos) {
              places.computeIfAbsent(wait.place(), place -> new ArrayList<>()).add(wait);
              standing.computeIfAbsent(wait.door(), door -> new HashSet<>()).add(thread.threadId());
              joins.add(doers.join(thread, wait.door(), wait.lock, doers(wait)));
            }
          }
        });
    timedWakes.got(waiting, this::waitsAt, timedPlaces::woken);
    if (!standing.isEmpty()) {
      joins.addAll(doers.ofPlatform(followed.keySet(), now));
    }
    wakings.setWaiting(look, waiting, standing, Doers.byDoor(joins, standing));
    List<WaitGroup> groups = new ArrayList<>();
    places
        .values()
        .forEach(
            waits -> {
              long longest = waits.stream().mapToLong(this::stood).max().getAsLong();
              groups.add(FollowedThread.group(waits, longest, wakers(waits, waiting)));
            });
    timedPlaces.threads().forEach((place, threads) -> addRepeated(place, threads, waiting, groups));
    return groups;
  }

  /** Adds threads that time out again and again, in place of those that have not yet. */
  private void addRepeated(
      TimedPlaces.Place timed, int threads, Map<Door, Set<Long>> waiting, List<WaitGroup> groups) {
    long nanos = now - timedPlaces.since(timed).orElseThrow();
    Optional<WaitGroup> same =
        groups.stream()
            .filter(group -> group.state() == Thread.State.TIMED_WAITING)
            .filter(
                group ->
                    group.stack().equals(timed.stack())
                        && group.lockClass().equals(timed.lockClass()))
            .findFirst();
    if (nanos < LongWait.SHORTEST_NANOS
        || same.filter(group -> group.longestNanos() >= nanos - LongWait.SHORTEST_NANOS)
            .isPresent()) {
      return;
    }
    same.ifPresent(groups::remove);
    groups.add(
        new WaitGroup(
            timed.stack(),
            Thread.State.TIMED_WAITING,
            timed.lockClass(),
            timedPlaces.door(timed).lock(),
            threads,
            same.map(WaitGroup::returned).orElse(0),
            false,
            nanos,
            true,
            wakings.judge(Set.of(timedPlaces.door(timed)), waiting),
            List.of()));
  }

  private LongWait.Wakers wakers(List<FollowedThread> waits, Map<Door, Set<Long>> waiting) {
    Set<Door> doors = waits.stream().map(FollowedThread::door).collect(Collectors.toSet());
    LongWait.Wakers seen = wakings.judge(doors, waiting);
    return switch (seen) {
      case NONE, OTHERS, SELDOM -> moreCame(doors, waits) ? LongWait.Wakers.MORE_CAME : seen;
      case FAILED, FAILED_SOON ->
          waits.stream().anyMatch(this::isHeld) ? LongWait.Wakers.OTHERS : seen;
      case NOT_KNOWN, ENDED, ANSWERED, EACH_OTHER, MORE_CAME -> seen;
    };
  }

  /** Returns whether a thread that lives has the lock, and has woken nobody there so far. */
  private boolean isHeld(FollowedThread wait) {
    Thread owner = internals.owner(wait.lock);
    return owner != null && owner.isAlive();
  }

  private boolean moreCame(Set<Door> doors, List<FollowedThread> waits) {
    Door door = doors.iterator().next();
    return doors.size() == 1
        && FollowedThread.moreCame(door, waits, now, left.getOrDefault(door, -1L));
  }
}
