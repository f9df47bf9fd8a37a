package io.github.vtdiag.agent.threads;

import io.github.vtdiag.waits.LongWait;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Who woke the threads that waited for one thing, such as a queue. */
final class Waking {
  /** Where more different threads wake others, new ones come. */
  private static final int MOST = 256;

  /**
   * Where so many were woken and one thread was the only one from elsewhere, that was no passer-by.
   * Who takes the first of several elements wakes the next.
   */
  private static final int WAKES = 3;

  /** So many wake-ups by each other tell that nobody else wakes them. */
  private static final int CLOSED_WAKES = 8;

  /** What one thread did, by the numbers of looks. */
  private static final class Waker {
    final long first;
    long last;
    int wakes;

    Waker(long look) {
      this.first = look;
      this.last = look;
    }
  }

  private final Map<Long, Waker> wakers = new HashMap<>();
  private boolean everNew;

  void add(long waker, long look) {
    if (everNew) {
      return;
    }
    Waker seen = wakers.computeIfAbsent(waker, id -> new Waker(look));
    seen.last = look;
    seen.wakes++;
    if (wakers.size() > MOST) {
      everNew = true;
      wakers.clear();
    }
  }

  /** Those of whom it matters whether they live. */
  Set<Long> ids() {
    return wakers.keySet();
  }

  /**
   * Who they are.
   *
   * @param waiting those that wait there now
   * @param ended those that do not live any more
   */
  LongWait.Wakers judge(Set<Long> waiting, Set<Long> ended) {
    if (everNew) {
      return LongWait.Wakers.OTHERS;
    }
    if (wakers.isEmpty()) {
      return LongWait.Wakers.NONE;
    }
    Set<Long> others = new HashSet<>(wakers.keySet());
    others.removeAll(waiting);
    if (others.isEmpty()) {
      return wakers.size() > 1 && wakes() >= CLOSED_WAKES
          ? LongWait.Wakers.EACH_OTHER
          : LongWait.Wakers.OTHERS;
    }
    return ended.containsAll(others) && lasted(others)
        ? LongWait.Wakers.ENDED
        : LongWait.Wakers.OTHERS;
  }

  private int wakes() {
    return wakers.values().stream().mapToInt(waker -> waker.wakes).sum();
  }

  /** Whether they were there all the time, unlike the threads of requests, which come and go. */
  private boolean lasted(Set<Long> ids) {
    if (ids.size() == 1 && wakes() >= WAKES) {
      return true;
    }
    long latestFirst = ids.stream().mapToLong(id -> wakers.get(id).first).max().getAsLong();
    long earliestLast = ids.stream().mapToLong(id -> wakers.get(id).last).min().getAsLong();
    return latestFirst < earliestLast;
  }
}
