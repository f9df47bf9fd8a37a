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
import java.util.stream.Collectors;

/** Who woke the threads that waited, by what they waited for. */
final class Wakings {
  /** Of further things that threads wait for it is not kept who wakes them. */
  private static final int DOORS = 1_000;

  /**
   * So many wake-ups tell that those who wait in a circle are woken by nobody else; after fewer
   * somebody from elsewhere may only not have been seen.
   */
  private static final int CIRCLE_WAKES = 4;

  /**
   * Where threads wait for the same thing.
   *
   * @param stack where they wait, if they do not say for what; else empty
   * @param lock the identity hash of what they are parked for; 0 if they do not say
   */
  record Door(List<StackTraceElement> stack, int lock) {
    static Door of(List<StackTraceElement> stack, Object lock) {
      return lock == null ? new Door(stack, 0) : new Door(List.of(), System.identityHashCode(lock));
    }
  }

  /** The JDK's own threads that unpark those whose time is over, before JDK 25. */
  private static final String TIMER = "VirtualThread-unparker";

  /** The one that unparks those whom somebody has notified, or to whom somebody left a monitor. */
  private static final String UNBLOCKER = "VirtualThread-unblocker";

  private final Map<Door, Waking> wakings = new HashMap<>();

  private Set<Long> timers = Set.of();
  private Set<Long> unblockers = Set.of();

  /** Whether they live is found out from one look to the next. */
  private Set<Long> asked = Set.of();

  private Set<Long> ended = Set.of();

  /** Who has waited for long at each of them now. */
  private Map<Door, Set<Long>> standing = Map.of();

  /** Where the JDK tells who ends the wait, these threads. */
  private Map<Door, Set<Long>> doers = Map.of();

  private Set<Door> circles = Set.of();
  private int circleWakes;

  /**
   * Who woke a thread: 0 if its time was over, {@link Waking#NOT_KNOWN} if the JDK says no more.
   */
  long waker(long thread) {
    if (timers.isEmpty()) {
      timers = named(TIMER);
      unblockers = named(UNBLOCKER);
    }
    return timers.contains(thread) ? 0 : unblockers.contains(thread) ? Waking.NOT_KNOWN : thread;
  }

  private static Set<Long> named(String name) {
    return ThreadSnapshots.platformThreads().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .map(Thread::threadId)
        .collect(Collectors.toSet());
  }

  /**
   * A thread that waited there was woken.
   *
   * @param asks whether who woke it may have asked it for something
   * @param look its number; 0 if the thread may have waited for something else
   */
  void add(Door door, boolean asks, long woken, long waker, long look) {
    Waking known = wakings.get(door);
    if (known == null && wakings.size() < DOORS) {
      known = new Waking(asks);
      wakings.put(door, known);
    }
    if (known != null) {
      known.add(woken, waker, look);
    }
  }

  /** Who makes room in a queue does not ask those that put something into it. */
  static boolean isForRoom(List<StackTraceElement> stack) {
    return KnownWaits.of(new StackTrace(ThreadReader.frames(stack), false), Thread.State.WAITING)
            .kind()
        == Awaited.Kind.FULL_QUEUE;
  }

  /** Those that woke others of whom it has to be found out whether they live. */
  Set<Long> asked() {
    return asked;
  }

  /** Takes which of {@link #asked} do not live any more. */
  void setEnded(Set<Long> ids) {
    ended = ids;
  }

  /**
   * Takes who waits now.
   *
   * @param waiting at each door
   * @param lasting those of them that have waited for long
   * @param awaited at some doors the threads that have to go on before those there can
   */
  void setWaiting(
      Map<Door, Set<Long>> waiting, Map<Door, Set<Long>> lasting, Map<Door, Set<Long>> awaited) {
    if (wakings.size() == DOORS) {
      wakings.keySet().retainAll(waiting.keySet()); // Each call of a service may have one.
    }
    standing = lasting;
    doers = awaited;
    asked = new HashSet<>();
    circles = circles();
  }

  /** What can be told of the wakers of those that wait at these doors: the same of all of them. */
  LongWait.Wakers judge(Set<Door> doors, Map<Door, Set<Long>> waiting) {
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
    LongWait.Wakers judged = seen.judge(waiting, ended, Mounts::hasFailed);
    return switch (judged) {
      case OTHERS, SELDOM ->
          !circles.contains(door)
              ? judged
              : circleWakes < CIRCLE_WAKES ? LongWait.Wakers.NONE : LongWait.Wakers.EACH_OTHER;
      case ENDED -> hadAsked(waiting, seen.ids()) ? LongWait.Wakers.ANSWERED : judged;
      case NOT_KNOWN, NONE, FAILED, FAILED_SOON, ANSWERED, EACH_OTHER, MORE_CAME -> judged;
    };
  }

  /** Whether those that wait had woken those that woke them. */
  private boolean hadAsked(Set<Long> waiting, Set<Long> wakers) {
    return wakings.values().stream()
        .filter(Waking::asks)
        .anyMatch(other -> other.hasWoken(waiting, wakers));
  }

  /** The doors at which all who could end the waits wait themselves, each at another of them. */
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

  /** Who has to go on, or else all who ever woke anybody there. */
  private Set<Long> enders(Door door) {
    Waking seen = wakings.get(door);
    return doers.getOrDefault(door, seen == null ? Set.of() : seen.ids());
  }
}
