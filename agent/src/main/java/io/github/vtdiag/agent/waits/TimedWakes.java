package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.threads.TimedPlaces;
import io.github.vtdiag.agent.threads.Wakings.Door;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The threads that were woken before their timeout expired, and those that gave up. A thread that
 * gives up wakes the next one, which waits on and got nothing.
 */
final class TimedWakes {
  /** The number of samples for which a thread that gave up may have woken the next one. */
  private static final int LOOKS = 2;

  /** A woken thread, and its waker, which may still wait there. */
  private record Woken(Thread thread, TimedPlaces.Place place, Door door, long waker) {}

  private long look;

  /** The threads that went on at this sample. */
  private final List<Woken> woken = new ArrayList<>();

  /** The last sample at which a thread gave up, by its id and what it waited for. */
  private final Map<Door, Map<Long, Long>> gaveUp = new HashMap<>();

  void begin() {
    look++;
    woken.clear();
    gaveUp.values().forEach(each -> each.values().removeIf(at -> look - at >= LOOKS));
    gaveUp.values().removeIf(Map::isEmpty);
  }

  /**
   * Records that a thread has gone on from a wait with a timeout.
   *
   * @param waker the thread that woke it; 0 if its timeout expired
   * @param stood whether it waited for a whole sample: one that looks again and again in between
   *     may have got something without being woken
   */
  void left(Thread thread, TimedPlaces.Place place, Door door, long waker, boolean stood) {
    if (waker != 0) {
      woken.add(new Woken(thread, place, door, waker));
    } else if (stood && door.lock() != 0) {
      gaveUp.computeIfAbsent(door, same -> new HashMap<>()).put(thread.threadId(), look);
    }
  }

  /**
   * Finds the places where threads got what they waited for.
   *
   * @param waiting the ids of the threads that wait for each thing
   * @param waitsAt returns where a thread waits with a timeout now
   */
  void got(
      Map<Door, Set<Long>> waiting,
      Function<Thread, Optional<TimedPlaces.Place>> waitsAt,
      Consumer<TimedPlaces.Place> got) {
    Map<Door, Set<Long>> gone = new HashMap<>();
    gaveUp.forEach((door, ids) -> gone.put(door, new HashSet<>(ids.keySet())));
    // A thread that was woken in vain, and whose time is over before it is seen again, wakes the
    // next one in turn.
    boolean more = true;
    while (more) {
      more =
          woken.removeIf(
              each -> {
                boolean inVain = gone.getOrDefault(each.door, Set.of()).contains(each.waker);
                if (inVain) {
                  gone.get(each.door).add(each.thread.threadId());
                }
                return inVain;
              });
    }
    for (Woken each : woken) {
      boolean inVain =
          waiting.getOrDefault(each.door, Set.of()).contains(each.waker)
              && waitsAt.apply(each.thread).equals(Optional.of(each.place));
      if (!inVain) {
        got.accept(each.place);
      }
    }
    woken.clear();
  }
}
