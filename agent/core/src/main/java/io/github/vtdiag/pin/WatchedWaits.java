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
 * The waits that the agent's watch saw, each once and as far as it went; and those of them that no
 * event of the JDK tells as well: in native code, and not over when the recording ended. The exit
 * summary and the command line count them by this one class.
 */
public final class WatchedWaits {
  /** A longer time between two looks is none in which a wait was seen to go on. */
  private static final long BLIND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** One wait is told several times; of two threads, or of two JVMs, numbers may be the same. */
  private record Key(long number, long threadId) {}

  private record Interval(long from, long to) {
    long overlap(long start, long end) {
      return Math.min(to, end) - Math.max(from, start);
    }
  }

  /** What events of the JDK tell of one thread, which can be all that there are. */
  private static final class Reported {
    private final List<Interval> intervals = new ArrayList<>();

    /** Of each interval when the last of it and those before ends; null while more may come. */
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

    /** How many begin before a time. */
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

    /** Whether one of them is at least so much of this time. */
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
   * A wait that nothing else tells, as a pin.
   *
   * @param carrier the carrier that it kept
   */
  public record Untold(PinEpisode pin, ThreadRef carrier) {}

  private final Map<Key, KeptCarrier> waits = new LinkedHashMap<>();
  private final Map<Key, Long> counted = new HashMap<>();
  private final Set<Long> threads = new HashSet<>();
  private final Map<Long, Reported> told = new HashMap<>();
  private final List<Events.WatchLook> looks = new ArrayList<>();

  /** Adds what one event says of a wait; they may come in any order, and more than once. */
  public void add(KeptCarrier wait) {
    threads.add(wait.thread().id());
    waits.merge(
        new Key(wait.number(), wait.thread().id()),
        wait,
        (a, b) -> a.ended() == b.ended() ? (a.nanos() >= b.nanos() ? a : b) : a.ended() ? a : b);
  }

  /** Adds that the watch was looking: what it saw last and did not say to have ended goes on. */
  public void add(Events.WatchLook look) {
    if (look.looks() > 0) {
      looks.add(look);
    }
  }

  public boolean isEmpty() {
    return waits.isEmpty();
  }

  /** Whether a wait of this thread was seen, so that its pins have to be {@link #told}. */
  public boolean concerns(long threadId) {
    return threads.contains(threadId);
  }

  /** Says that an event of the JDK tells of this time. */
  public void told(long threadId, long startNanos, long endNanos) {
    told.computeIfAbsent(threadId, id -> new Reported()).add(new Interval(startNanos, endNanos));
  }

  /**
   * The waits that nothing else tells, in the order of their start. What was asked for before comes
   * again only if it has turned out to be longer: files that overlap have a wait several times.
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

  /** The watch sees a wait begin late and end early, so the JDK's event covers what it saw. */
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

  /** Whether the thread did something else later, which the watch did not come to say. */
  private boolean isFollowed(KeptCarrier wait) {
    long end = wait.startNanos() + wait.nanos();
    long thread = wait.thread().id();
    return waits.values().stream()
            .anyMatch(other -> other.thread().id() == thread && other.startNanos() >= end)
        || (told.containsKey(thread) && told.get(thread).goesOnAt(end));
  }

  /** How long the watch went on looking after it last told of a wait. */
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
