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

  private final Map<Door, Waking> wakings = new HashMap<>();

  /** Whether they live is found out from one look to the next. */
  private Set<Long> asked = Set.of();

  private Set<Long> ended = Set.of();

  /** Who has waited for long at each of them now. */
  private Map<Door, Set<Long>> standing = Map.of();

  private Set<Door> circles = Set.of();
  private int circleWakes;

  /** A thread that waited there was woken. */
  void add(Door door, List<StackTraceElement> stack, long woken, long waker, long look) {
    Waking known = wakings.get(door);
    if (known == null && wakings.size() < DOORS) {
      known = new Waking(isForRoom(stack));
      wakings.put(door, known);
    }
    if (known != null) {
      known.add(woken, waker, look);
    }
  }

  /** Who makes room in a queue does not ask those that put something into it. */
  private static boolean isForRoom(List<StackTraceElement> stack) {
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
   */
  void setWaiting(Map<Door, Set<Long>> waiting, Map<Door, Set<Long>> lasting) {
    if (wakings.size() == DOORS) {
      wakings.keySet().retainAll(waiting.keySet()); // Each call of a service may have one.
    }
    standing = lasting;
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
    if (seen == null) {
      return LongWait.Wakers.NONE;
    }
    asked.addAll(seen.ids());
    LongWait.Wakers judged = seen.judge(waiting, ended, Mounts::hasFailed);
    return switch (judged) {
      case OTHERS ->
          !circles.contains(door)
              ? judged
              : circleWakes < CIRCLE_WAKES ? LongWait.Wakers.NONE : LongWait.Wakers.EACH_OTHER;
      case ENDED -> hadAsked(waiting, seen.ids()) ? LongWait.Wakers.ANSWERED : judged;
      case NOT_KNOWN, NONE, FAILED, ANSWERED, EACH_OTHER, MORE_CAME -> judged;
    };
  }

  /** Whether those that wait had woken those that woke them. */
  private boolean hadAsked(Set<Long> waiting, Set<Long> wakers) {
    return wakings.values().stream()
        .filter(other -> !other.isForRoom())
        .anyMatch(other -> other.hasWoken(waiting, wakers));
  }

  /** The doors at which all who ever woke anybody wait themselves, each at another of them. */
  private Set<Door> circles() {
    Set<Door> left = new HashSet<>(standing.keySet());
    left.removeIf(door -> !wakings.containsKey(door) || wakings.get(door).ids().isEmpty());
    boolean changed = true;
    while (changed) {
      Set<Long> threads = new HashSet<>();
      left.forEach(door -> threads.addAll(standing.get(door)));
      changed = left.removeIf(door -> !threads.containsAll(wakings.get(door).ids()));
    }
    circleWakes = left.stream().mapToInt(door -> wakings.get(door).wakes()).sum();
    return left.size() > 1 ? left : Set.of();
  }
}
