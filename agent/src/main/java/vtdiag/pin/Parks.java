package vtdiag.pin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vtdiag.model.PinEpisode;

/**
 * Tells pins what they parked on: {@code jdk.VirtualThreadPinned} does not, but {@code
 * jdk.ThreadPark}, which the same thread emits for the same wait, names the class.
 */
public final class Parks {
  private Parks() {}

  /**
   * A park of a virtual thread.
   *
   * @param lockClass the class of the object it parked on
   */
  public record Park(long threadId, long startNanos, long endNanos, String lockClass) {}

  /** Gives each pinned episode the lock class of the longest park of its thread within it. */
  public static List<PinEpisode> join(List<PinEpisode> episodes, List<Park> parks) {
    if (parks.isEmpty()) {
      return episodes;
    }
    Map<Long, List<Park>> byThread = new HashMap<>();
    for (Park park : parks) {
      byThread.computeIfAbsent(park.threadId(), id -> new ArrayList<>(1)).add(park);
    }
    byThread.values().forEach(list -> list.sort(Comparator.comparingLong(Park::startNanos)));
    List<PinEpisode> joined = new ArrayList<>(episodes.size());
    for (PinEpisode episode : episodes) {
      List<Park> own = byThread.get(episode.thread().id());
      Park park = own == null || !wantsLockClass(episode) ? null : longestWithin(episode, own);
      joined.add(park == null ? episode : episode.withLockClass(park.lockClass()));
    }
    return joined;
  }

  private static boolean wantsLockClass(PinEpisode episode) {
    return episode.kind() == PinEpisode.Kind.PINNED && episode.lockClass().isEmpty();
  }

  private static Park longestWithin(PinEpisode episode, List<Park> parks) {
    Park longest = null;
    for (int i = firstFrom(parks, episode.startNanos()); i < parks.size(); i++) {
      Park park = parks.get(i);
      if (park.startNanos() > episode.endNanos()) {
        break;
      }
      if (park.endNanos() <= episode.endNanos()
          && (longest == null || length(park) > length(longest))) {
        longest = park;
      }
    }
    return longest;
  }

  private static long length(Park park) {
    return park.endNanos() - park.startNanos();
  }

  /** The first park that starts at or after {@code nanos}. */
  private static int firstFrom(List<Park> parks, long nanos) {
    int low = 0;
    int high = parks.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (parks.get(middle).startNanos() < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
