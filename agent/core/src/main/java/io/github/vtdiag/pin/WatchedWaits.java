package io.github.vtdiag.pin;

import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.ThreadRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The waits that the agent's watch saw, each once with its last known length. Some of them have no
 * event of the JDK: waits in native code, and waits that outlasted the recording. The exit summary
 * and the command line both count them with this class.
 */
public final class WatchedWaits {
  /** The longest time between two samples over which a wait is assumed to go on. */
  private static final long BLIND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The identity of a wait, which is recorded several times. Numbers of two threads, or of two
   * JVMs, may be the same.
   */
  private record Key(long number, long threadId) {}

  private record Interval(long from, long to) {
    long overlap(long start, long end) {
      return Math.min(to, end) - Math.max(from, start);
    }
  }

  /** The waits of one thread according to the JDK's events, which may be many. */
  private static final class Reported {
    private final List<Interval> intervals = new ArrayList<>();

    /** The latest end up to each interval; null while intervals are added. */
    private long[] latestEnds;

    void add(Interval interval) {
      intervals.add(interval);
      latestEnds = null;
    }

    private void sort() {
      if (latestEnds == null) {
        intervals.sort(Comparator.comparingLong(Interval::from));
        latestEnds = new long[intervals.size()];
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < latestEnds.length; i++) {
          latest = Math.max(latest, intervals.get(i).to);
          latestEnds[i] = latest;
        }
      }
    }

    /** Returns the number of intervals that begin before a time. */
    private int before(long nanos) {
      int low = 0;
      int high = intervals.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (intervals.get(middle).from < nanos) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** Returns whether one of them overlaps this time by {@code nanos} or more. */
    boolean tells(long start, long end, long nanos) {
      sort();
      for (int i = before(end) - 1; i >= 0 && latestEnds[i] > start; i--) {
        if (intervals.get(i).overlap(start, end) >= nanos) {
          return true;
        }
      }
      return false;
    }

    boolean goesOnAt(long nanos) {
      sort();
      return before(nanos) < intervals.size();
    }
  }

  /**
   * A wait that no other event covers, as a pin.
   *
   * @param carrier the carrier that it occupied
   */
  public record Untold(PinEpisode pin, ThreadRef carrier) {}

  private final Map<Key, KeptCarrier> waits = new LinkedHashMap<>();
  private final Map<Key, Long> counted = new HashMap<>();
  private final Set<Long> threads = new HashSet<>();
  private final Map<Long, Reported> told = new HashMap<>();
  private final List<Events.WatchLook> looks = new ArrayList<>();

  /** Adds an event of a wait. Events may come in any order, and more than once. */
  public void add(KeptCarrier wait) {
    threads.add(wait.thread().id());
    waits.merge(
        new Key(wait.number(), wait.thread().id()),
        wait,
        (a, b) -> a.ended() == b.ended() ? (a.nanos() >= b.nanos() ? a : b) : a.ended() ? a : b);
  }

  /**
   * Adds that the watch was running: a wait that it saw last and did not report as ended goes on.
   */
  public void add(Events.WatchLook look) {
    if (look.looks() > 0) {
      looks.add(look);
    }
  }

  public boolean isEmpty() {
    return waits.isEmpty();
  }

  /** Returns whether a wait of this thread was seen, so that its pins have to be {@link #told}. */
  public boolean concerns(long threadId) {
    return threads.contains(threadId);
  }

  /** Adds a time that an event of the JDK covers. */
  public void told(long threadId, long startNanos, long endNanos) {
    told.computeIfAbsent(threadId, id -> new Reported()).add(new Interval(startNanos, endNanos));
  }

  /**
   * Returns the waits that no other event covers, in the order of their start. A wait that was
   * returned before comes again only if it has grown: files that overlap contain it several times.
   *
   * @param jdk the feature number of the JDK that ran
   */
  public List<Untold> untold(int jdk) {
    looks.sort(Comparator.comparingLong(Events.WatchLook::startNanos));
    List<Untold> untold = new ArrayList<>();
    waits.forEach(
        (key, wait) -> {
          PinEpisode pin = episode(wait, jdk);
          if (!isTold(wait) && counted.getOrDefault(key, -1L) < pin.durationNanos()) {
            counted.put(key, pin.durationNanos());
            untold.add(new Untold(pin, wait.carrier()));
          }
        });
    untold.sort(Comparator.comparingLong(each -> each.pin().startNanos()));
    return untold;
  }

  /**
   * Returns whether an event of the JDK covers the wait. The watch sees a wait begin late and end
   * early, so such an event is longer than what the watch saw.
   */
  private boolean isTold(KeptCarrier wait) {
    long start = wait.startNanos();
    long end = start + wait.nanos();
    Reported ofThread = told.get(wait.thread().id());
    return ofThread != null && ofThread.tells(start, end, Math.max(1, (wait.nanos() + 1) / 2));
  }

  private PinEpisode episode(KeptCarrier wait, int jdk) {
    boolean ended = wait.ended() || isFollowed(wait);
    PinEpisode pin = wait.episode(jdk);
    return new PinEpisode(
        pin.kind(),
        pin.startNanos(),
        pin.durationNanos() + (ended ? 0 : seenAfter(wait)),
        pin.thread(),
        pin.stack(),
        pin.pinnedReason(),
        pin.blockingOperation(),
        pin.lockClass(),
        ended);
  }

  /**
   * Returns whether the thread did something else later, so the watch missed the end of the wait.
   */
  private boolean isFollowed(KeptCarrier wait) {
    long end = wait.startNanos() + wait.nanos();
    long thread = wait.thread().id();
    return waits.values().stream()
            .anyMatch(other -> other.thread().id() == thread && other.startNanos() >= end)
        || (told.containsKey(thread) && told.get(thread).goesOnAt(end));
  }

  /** Returns how long the watch went on running after it last recorded a wait. */
  private long seenAfter(KeptCarrier wait) {
    long last = wait.startNanos() + wait.nanos();
    long seen = 0;
    for (Events.WatchLook look : looks) {
      if (look.startNanos() > last) {
        long blind = look.longestGapNanos() > BLIND_NANOS ? look.longestGapNanos() : 0;
        seen += Math.max(0, look.startNanos() - last - blind);
        last = look.startNanos();
      }
    }
    return seen;
  }
}
