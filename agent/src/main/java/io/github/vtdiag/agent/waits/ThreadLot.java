package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.threads.ThreadSnapshots;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Draws some of all virtual threads, each with the same probability. */
final class ThreadLot implements Consumer<Thread> {
  /** The number of threads that are drawn. */
  private static final int SOME = 128;

  private final Thread[] drawn = new Thread[SOME];
  private long alive;
  private long queued;
  private final Set<Long> asked;
  private final Predicate<Thread> isQueued;
  private final Set<Long> living = new HashSet<>();

  /**
   * @param asked the ids of the threads for which it is to be found out whether they are alive
   * @param isQueued returns whether a thread needs a carrier; or always false, so that they are not
   *     counted
   */
  ThreadLot(Set<Long> asked, Predicate<Thread> isQueued) {
    this.asked = asked;
    this.isQueued = isQueued;
  }

  /** Returns the threads that were asked for and have ended. */
  Set<Long> ended() {
    Set<Long> ended = new HashSet<>(asked);
    if (!asked.isEmpty()) {
      ended.removeAll(living);
      ThreadSnapshots.platformThreads().forEach(thread -> ended.remove(thread.threadId()));
    }
    return ended;
  }

  @Override
  public void accept(Thread thread) {
    if (!asked.isEmpty() && asked.contains(thread.threadId())) {
      living.add(thread.threadId());
    }
    if (isQueued.test(thread)) {
      queued++;
    }
    long place = alive < SOME ? alive : ThreadLocalRandom.current().nextLong(alive + 1);
    if (place < SOME) {
      drawn[(int) place] = thread;
    }
    alive++;
  }

  /** Returns the number of all threads. */
  long alive() {
    return alive;
  }

  /** Returns the number of all threads that need a carrier. */
  long queued() {
    return queued;
  }

  /** Returns whether all threads were drawn. */
  boolean isComplete() {
    return alive <= SOME;
  }

  List<Thread> drawn() {
    return List.of(Arrays.copyOf(drawn, (int) Math.min(alive, SOME)));
  }
}
