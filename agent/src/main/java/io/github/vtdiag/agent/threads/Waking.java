package io.github.vtdiag.agent.threads;

import io.github.vtdiag.waits.LongWait;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/** Who woke the threads that waited for one thing, such as a queue. */
final class Waking {
  /** In place of the id of a thread. */
  static final long NOT_KNOWN = -1;

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

  private final boolean asks;
  private final Map<Long, Waker> wakers = new HashMap<>();
  private final Set<Long> woken = new HashSet<>();
  private boolean everNew;
  private int sure;

  /**
   * @param asks whether who wakes a thread there may ask it for something
   */
  Waking(boolean asks) {
    this.asks = asks;
  }

  /**
   * Notes a wake-up.
   *
   * @param look its number; 0 if the thread may have waited for something else
   */
  void add(long thread, long waker, long look) {
    sure += look > 0 ? 1 : 0;
    if (woken.size() < MOST) {
      woken.add(thread);
    }
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

  boolean asks() {
    return asks;
  }

  /** Whether one of the first woke one of the second here. */
  boolean hasWoken(Set<Long> first, Set<Long> second) {
    return wakers.keySet().stream().anyMatch(first::contains)
        && woken.stream().anyMatch(second::contains);
  }

  /**
   * Who they are.
   *
   * @param waiting those that wait there now
   * @param ended those that do not live any more
   * @param failed whether a thread, or what it did, failed
   */
  LongWait.Wakers judge(Set<Long> waiting, Set<Long> ended, LongPredicate failed) {
    if (everNew) {
      return LongWait.Wakers.OTHERS;
    }
    if (wakers.isEmpty()) {
      return LongWait.Wakers.NONE;
    }
    if (wakers.keySet().equals(Set.of(NOT_KNOWN))) {
      return LongWait.Wakers.NOT_KNOWN;
    }
    Set<Long> others = new HashSet<>(wakers.keySet());
    others.removeAll(waiting);
    if (others.isEmpty()) {
      return wakers.size() > 1 && sure >= CLOSED_WAKES
          ? LongWait.Wakers.EACH_OTHER
          : LongWait.Wakers.SELDOM;
    }
    if (!ended.containsAll(others)) {
      return LongWait.Wakers.OTHERS;
    }
    boolean lasted = lasted(others);
    if ((lasted || others.size() == 1) && others.stream().anyMatch(failed::test)) {
      return lasted ? LongWait.Wakers.FAILED : LongWait.Wakers.FAILED_SOON;
    }
    return lasted
        ? LongWait.Wakers.ENDED
        : wakes() < WAKES ? LongWait.Wakers.NONE : LongWait.Wakers.OTHERS;
  }

  /** How many were surely woken from this wait. */
  int sure() {
    return sure;
  }

  /** How many wake-ups were seen. */
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
