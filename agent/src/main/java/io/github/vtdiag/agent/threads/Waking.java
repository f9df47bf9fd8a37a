package io.github.vtdiag.agent.threads;

import io.github.vtdiag.waits.LongWait;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/** The threads that woke others that waited for one thing, such as a queue. */
final class Waking {
  /** Stands for the id of an unknown thread. */
  static final long NOT_KNOWN = -1;

  /** The number of different wakers that are kept; where there are more, new ones keep coming. */
  private static final int MOST = 256;

  /**
   * The number of wake-ups after which a single waker from elsewhere was not there by chance. A
   * thread that takes the first of several elements wakes the next thread.
   */
  private static final int WAKES = 3;

  /**
   * The number of wake-ups by each other after which these threads are known to be woken by nobody
   * else.
   */
  private static final int CLOSED_WAKES = 8;

  /** The number of periods without a wake-up after which a timer's task is not run any more. */
  private static final int PERIODS = 4;

  /** The wake-ups by one thread, with the numbers of the first and the last sample. */
  private static final class Waker {
    final long first;
    long last;
    int wakes;

    /** The sample at which its failure was seen first; 0 if none was. */
    long failed;

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
   * @param asks whether a thread that wakes another there may ask it for something
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

  /** Returns the wakers for which it matters whether they are alive. */
  Set<Long> ids() {
    return wakers.keySet();
  }

  boolean asks() {
    return asks;
  }

  /**
   * Notes that a thread that still lives has failed at a task, and returns whether it has woken
   * none here since. That is long ago, compared with the time between two wake-ups before. The
   * first failure counts: who wakes others after it goes on.
   */
  boolean hasStoppedByFailure(long waker, long look) {
    Waker seen = wakers.get(waker);
    if (seen == null || seen.wakes < WAKES) {
      return false;
    }
    seen.failed = seen.failed == 0 ? look : seen.failed;
    return seen.last <= seen.failed
        && look - seen.last > PERIODS * (seen.last - seen.first) / (seen.wakes - 1);
  }

  /** Returns whether one of the first threads woke one of the second here. */
  boolean hasWoken(Set<Long> first, Set<Long> second) {
    return wakers.keySet().stream().anyMatch(first::contains)
        && woken.stream().anyMatch(second::contains);
  }

  /**
   * Classifies the wakers.
   *
   * @param waiting the threads that wait there now
   * @param ended the threads that have ended
   * @param failed returns whether a thread, or what it did, failed
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

  /** The number of threads that were surely woken from this wait. */
  int sure() {
    return sure;
  }

  /** The number of wake-ups that were seen. */
  private int wakes() {
    return wakers.values().stream().mapToInt(waker -> waker.wakes).sum();
  }

  /**
   * Returns whether they were there all the time, unlike the threads of requests, which come and
   * go.
   */
  private boolean lasted(Set<Long> ids) {
    if (ids.size() == 1 && wakes() >= WAKES) {
      return true;
    }
    long latestFirst = ids.stream().mapToLong(id -> wakers.get(id).first).max().getAsLong();
    long earliestLast = ids.stream().mapToLong(id -> wakers.get(id).last).min().getAsLong();
    return latestFirst < earliestLast;
  }
}
