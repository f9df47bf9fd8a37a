package io.github.vtdiag.agent.threads;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import io.github.vtdiag.waits.LongWait;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** The threads that woke waiting threads, by what those waited for. */
public final class Wakings {
  /** The number of things waited for whose wakers are kept. */
  private static final int DOORS = 1_000;

  /**
   * The number of wake-ups after which threads that wait in a circle are known to be woken by
   * nobody else. After fewer, a waker from elsewhere may only not have been seen.
   */
  private static final int CIRCLE_WAKES = 4;

  /**
   * A place where threads wait for the same thing.
   *
   * @param stack where they wait, if they do not say for what; else empty
   * @param lock the identity hash of what they are parked for; 0 if they do not say
   */
  public record Door(List<StackTraceElement> stack, int lock) {
    public static Door of(List<StackTraceElement> stack, Object lock) {
      return lock == null ? new Door(stack, 0) : new Door(List.of(), System.identityHashCode(lock));
    }

    /**
     * Returns the door of all tasks that are awaited at one place of the application. The JDK's
     * frames may differ: those of a method that was transformed meanwhile have no lines.
     */
    public static Door ofTasks(List<StackTraceElement> stack) {
      List<StackTraceElement> application =
          stack.stream().filter(frame -> !frame.getClassName().startsWith("java.")).toList();
      return new Door(application.isEmpty() ? stack : application, 0);
    }
  }

  /** The JDK's own thread that unparks threads that were notified or were handed a monitor. */
  private static final String UNBLOCKER = "VirtualThread-unblocker";

  /** Before JDK 24 there is none; to look for it at each wake-up would go through all threads. */
  private static final boolean HAS_UNBLOCKER = Runtime.version().feature() >= 24;

  private final Map<Door, Waking> wakings = new HashMap<>();

  private Set<Long> unblockers = Set.of();

  /** The wakers whose end is checked for between one sample and the next. */
  private Set<Long> asked = Set.of();

  private Set<Long> ended = Set.of();

  /** The threads at each door that have waited for long now. */
  private Map<Door, Set<Long>> standing = Map.of();

  /** The threads that wait at each door now. */
  private Map<Door, Set<Long>> present = Map.of();

  /** The threads that have to end the wait at a door, where the JDK knows them. */
  private Map<Door, Set<Long>> doers = Map.of();

  private Set<Door> circles = Set.of();
  private int circleWakes;
  private long look;
  private final LongPredicate timer;

  /**
   * @param timer returns whether a thread waits for the next task of a timer
   */
  public Wakings(LongPredicate timer) {
    this.timer = timer;
  }

  /** Returns the thread that woke a thread; {@link Waking#NOT_KNOWN} if the JDK says no more. */
  public long waker(long thread) {
    if (HAS_UNBLOCKER && unblockers.isEmpty()) {
      unblockers = named(UNBLOCKER);
    }
    return unblockers.contains(thread) ? Waking.NOT_KNOWN : thread;
  }

  private static Set<Long> named(String name) {
    return ThreadSnapshots.platformThreads().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .map(Thread::threadId)
        .collect(Collectors.toSet());
  }

  /**
   * Records that a thread that waited there was woken.
   *
   * @param asks whether who woke it may have asked it for something
   * @param look its number; 0 if the thread may have waited for something else
   */
  public void add(Door door, boolean asks, long woken, long waker, long look) {
    Waking known = wakings.get(door);
    if (known == null && wakings.size() < DOORS) {
      known = new Waking(asks);
      wakings.put(door, known);
    }
    if (known != null) {
      known.add(woken, waker, look);
    }
  }

  /**
   * Returns whether a thread waits for room in a queue. A thread that makes room there asks nothing
   * of the threads that put elements into it.
   */
  public static boolean isForRoom(List<StackTraceElement> stack) {
    return KnownWaits.of(new StackTrace(ThreadReader.frames(stack), false), Thread.State.WAITING)
            .kind()
        == Awaited.Kind.FULL_QUEUE;
  }

  /** Returns the wakers for which it has to be found out whether they are alive. */
  public Set<Long> asked() {
    return asked;
  }

  /** Sets which of {@link #asked} have ended. */
  public void setEnded(Set<Long> ids) {
    ended = ids;
  }

  /**
   * Sets which threads wait now.
   *
   * @param number of this sample
   * @param waiting the waiting threads at each door
   * @param lasting those of them that have waited for long
   * @param awaited the threads that have to go on before those at a door can, for some doors
   */
  public void setWaiting(
      long number,
      Map<Door, Set<Long>> waiting,
      Map<Door, Set<Long>> lasting,
      Map<Door, Set<Long>> awaited) {
    look = number;
    if (wakings.size() == DOORS) {
      wakings.keySet().retainAll(waiting.keySet()); // Each call of a service may add one.
    }
    present = waiting;
    standing = lasting;
    doers = awaited;
    asked = new HashSet<>();
    circles = circles();
  }

  /**
   * Returns what is known of the wakers of the threads at these doors, if it is the same for all
   * doors.
   */
  public LongWait.Wakers judge(Set<Door> doors, Map<Door, Set<Long>> waiting) {
    LongWait.Wakers all = null;
    for (Door door : doors) {
      LongWait.Wakers one = judge(door, waiting.getOrDefault(door, Set.of()));
      if (all != null && all != one) {
        return LongWait.Wakers.NOT_KNOWN;
      }
      all = one;
    }
    return all == null ? LongWait.Wakers.NOT_KNOWN : all;
  }

  private LongWait.Wakers judge(Door door, Set<Long> waiting) {
    Waking seen = wakings.get(door);
    if (doers.containsKey(door) && circles.contains(door)) {
      return LongWait.Wakers.EACH_OTHER;
    }
    if (seen == null) {
      return LongWait.Wakers.NONE;
    }
    asked.addAll(seen.ids());
    LongWait.Wakers judged = seen.judge(waiting, endedOrStopped(seen), Mounts::hasFailed);
    return switch (judged) {
      case OTHERS, SELDOM ->
          !circles.contains(door)
              ? judged
              : circleWakes < CIRCLE_WAKES ? LongWait.Wakers.NONE : LongWait.Wakers.EACH_OTHER;
      case ENDED -> hadAsked(waiting, seen.ids()) ? LongWait.Wakers.ANSWERED : judged;
      case NOT_KNOWN, NONE, FAILED, FAILED_SOON, ANSWERED, EACH_OTHER, MORE_CAME -> judged;
    };
  }

  /**
   * Adds to the threads that have ended the timers whose task has failed, which never runs again.
   */
  private Set<Long> endedOrStopped(Waking seen) {
    Set<Long> stopped = new HashSet<>(ended);
    for (long id : seen.ids()) {
      if (!ended.contains(id)
          && Mounts.hasFailed(id)
          && seen.hasStoppedByFailure(id, look)
          && timer.test(id)) {
        stopped.add(id);
      }
    }
    return stopped;
  }

  /**
   * Returns whether the threads that wait had woken those that woke them. So may their clients
   * have, whom nobody else serves: they asked one that gave each request to a worker.
   */
  private boolean hadAsked(Set<Long> waiting, Set<Long> wakers) {
    Set<Long> askers = new HashSet<>(waiting);
    present.forEach(
        (door, threads) -> {
          Waking served = wakings.get(door);
          if (served != null && !served.ids().isEmpty() && waiting.containsAll(served.ids())) {
            askers.addAll(threads);
          }
        });
    return wakings.values().stream()
        .filter(Waking::asks)
        .anyMatch(other -> other.hasWoken(askers, wakers));
  }

  /**
   * Returns the doors at which all threads that could end the waits wait themselves, each at
   * another of these doors.
   */
  private Set<Door> circles() {
    Set<Door> left = new HashSet<>(standing.keySet());
    left.removeIf(door -> enders(door).isEmpty());
    boolean changed = true;
    while (changed) {
      Set<Long> threads = new HashSet<>();
      left.forEach(door -> threads.addAll(standing.get(door)));
      changed = left.removeIf(door -> !threads.containsAll(enders(door)));
    }
    circleWakes =
        left.stream().filter(wakings::containsKey).mapToInt(door -> wakings.get(door).sure()).sum();
    return left.size() > 1 || doers.keySet().containsAll(left) ? left : Set.of();
  }

  /** Returns the threads that have to go on, or else all threads that ever woke one there. */
  private Set<Long> enders(Door door) {
    Waking seen = wakings.get(door);
    return doers.getOrDefault(door, seen == null ? Set.of() : seen.ids());
  }
}
