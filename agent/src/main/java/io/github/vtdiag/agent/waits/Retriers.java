package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.threads.BusyWaitSearch;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.locksite.RetryLoop;
import io.github.vtdiag.model.Frame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Follows threads that others wait for and that try the same thing again and again, such as a call
 * that is refused. They run, but nothing comes of it. Threads for which nobody waits, such as a
 * heartbeat, are not asked for.
 */
final class Retriers {
  /** The rounds that have to be seen to have failed. */
  private static final int ROUNDS = 4;

  /** A thread that was not seen to fail for longer may work in its last round. */
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int MOST = 200;
  private static final int STACKS = 500;

  /**
   * A loop that a thread is in, and the calls that led there.
   *
   * @param method for people
   */
  private record Place(String method, int loop, List<Frame> callers) {}

  /**
   * @param once whether what is called there is called once in a round
   */
  private record Site(Place place, boolean failed, boolean once) {}

  private static final class Trying {
    Place place;
    long since;
    long failedAt;
    long lookedAt;
    int rounds;

    /** The place and the identity hash of what it waited for last within the loop. */
    List<StackTraceElement> stack = List.of();

    int lock;

    boolean fails() {
      return rounds >= ROUNDS && lookedAt - failedAt < RECENT_NANOS;
    }
  }

  private final LoopTargets targets;
  private final Map<Thread, Trying> followed = new HashMap<>();
  private final Map<List<StackTraceElement>, Optional<Site>> sites = new HashMap<>();

  /** The time at which a thread that had waited there for another one was last seen to go on. */
  private final Map<List<StackTraceElement>, Long> left = new HashMap<>();

  /**
   * @param classes reads the code of loops
   */
  Retriers(LockMapReader classes) {
    this.targets = new LoopTargets(classes);
  }

  void begin() {
    followed.keySet().removeIf(thread -> !thread.isAlive());
  }

  /** Records that a thread has gone on which waited there for another one. */
  void left(List<StackTraceElement> stack, long now) {
    left.put(stack, now);
  }

  /**
   * Returns for how long a thread has tried in vain, as far as is known; 0 if it may get on.
   *
   * @param ran whether it has run since the last sample
   * @param waiting the stack of a thread that waits for it
   */
  long inVain(Thread thread, boolean ran, List<StackTraceElement> waiting, long now) {
    Trying trying = followed.get(thread);
    if (trying == null && followed.size() == MOST) {
      return 0;
    }
    if (trying == null || trying.lookedAt != now) {
      trying = look(thread, trying, ran, now);
    }
    return trying != null && trying.fails()
        ? now - Math.max(trying.since, left.getOrDefault(waiting, trying.since))
        : 0;
  }

  private Trying look(Thread thread, Trying known, boolean ran, long now) {
    List<StackTraceElement> stack = List.of(thread.getStackTrace());
    Optional<Site> site =
        sites.size() == STACKS && !sites.containsKey(stack)
            ? Optional.empty()
            : sites.computeIfAbsent(stack, this::find);
    if (site.isEmpty()) {
      followed.remove(thread);
      return null;
    }
    Trying trying = known;
    if (trying == null || !trying.place.equals(site.get().place)) {
      trying = new Trying();
      trying.place = site.get().place;
      trying.since = now;
      followed.put(thread, trying);
    }
    trying.lookedAt = now;
    if (site.get().failed && WaitLoops.isForTime(stack)) {
      trying.rounds += ran ? 1 : 0;
      trying.failedAt = now;
    } else if (site.get().once && cameAgain(trying, stack, LockSupport.getBlocker(thread))) {
      trying.rounds++;
      trying.failedAt = now;
    }
    return trying;
  }

  /** Returns whether it waits at the same place, but for another object: another round failed. */
  private static boolean cameAgain(Trying trying, List<StackTraceElement> stack, Object lock) {
    int last = trying.lock;
    boolean same = stack.equals(trying.stack);
    trying.stack = stack;
    trying.lock = lock == null ? 0 : System.identityHashCode(lock);
    return same && last != 0 && trying.lock != 0 && last != trying.lock;
  }

  /** Finds the loop that a thread is in; none if another one leads back there. */
  private Optional<Site> find(List<StackTraceElement> stack) {
    List<Frame> written = LoopTargets.written(stack);
    List<CodeSites> code = targets.code(written);
    for (int i = written.size() - 1; i >= 0; i--) {
      Frame frame = written.get(i);
      if (LoopTargets.mayBeInLoop(frame, code)) {
        List<Frame> callers = written.subList(i + 1, written.size());
        boolean once =
            written.stream().limit(i).noneMatch(inner -> LoopTargets.mayBeInLoop(inner, code));
        return BusyWaitSearch.of(frame, code)
            .flatMap(sites -> sites.retryLoop(frame.method(), frame.line()).stream())
            .filter(loop -> loop.asked().stream().noneMatch(LoopTargets::isForEnd))
            .findFirst()
            .map(
                loop ->
                    new Site(
                        place(frame, loop, callers),
                        loop.failed(),
                        once && loop.asked().isEmpty()));
      }
    }
    return Optional.empty();
  }

  private static Place place(Frame frame, RetryLoop loop, List<Frame> callers) {
    return new Place(frame.qualifiedMethod(), loop.first(), List.copyOf(callers));
  }

  /** Returns the method of a thread that tries in vain, for which one of these waits. */
  Optional<String> awaited(List<Thread> waiting, List<Doers.Join> joins) {
    return joins.stream()
        .filter(join -> waiting.contains(join.waiting()))
        .flatMap(join -> join.awaited().stream())
        .map(followed::get)
        .filter(trying -> trying != null && trying.fails())
        .map(trying -> trying.place.method)
        .findFirst();
  }
}
