package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.FailedThreads;
import io.github.vtdiag.agent.ends.FutureWaits;
import io.github.vtdiag.agent.ends.ProgramEnd;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import io.github.vtdiag.watch.CarrierStates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Follows platform threads that wait for what other threads have to do: in many programs requests
 * run on platform threads, and virtual threads work for them. A single one may only keep the
 * program alive. So it counts only if a task of an executor waits so, if it waits for an object of
 * a pool, a call's answer, room in a queue, or for parts of work, or if nothing else goes on.
 */
final class PlatformWaits {
  /** If more platform threads wait than that, none is followed. */
  private static final int MOST = 500;

  /** The number of threads at one place from which they are requests rather than a service. */
  private static final int SEVERAL = 2;

  /** The same of threads that each may keep a server alive: it may have two such parts. */
  private static final int MANY_OF_SERVER = 3;

  private static final String LATCH = "java.util.concurrent.CountDownLatch$Sync";

  /** The ways in which a thread may wait at a place. */
  private enum Use {
    /** For an object of a pool, which nobody does to keep a program alive. */
    OF_POOL,
    /** For the answer to a call, which nobody does for that either. */
    OF_CALL,
    /** For room in a queue. */
    OF_ROOM,
    /** In a task of an executor, which does not keep it alive either. */
    OF_TASK,
    /** For the end of a periodic task, which is overdue. */
    OF_PERIODIC,
    /** For the results of tasks, which nobody does for that either. */
    OF_RESULTS,
    /** For the parts of what it has begun. */
    OF_PARTS,
    /** For a signal, as workers do. */
    OF_WORKER,
    /** Until somebody ends the program. */
    OF_END,
    OTHER
  }

  /**
   * A place where threads wait.
   *
   * @param lock the identity hash of what they are parked for; 0 if each has its own, as futures
   *     are
   * @param timed whether they wait with a timeout, again and again
   */
  private record Place(List<StackTraceElement> stack, int lock, Awaited awaited, boolean timed) {}

  /** One wait of a thread, which has not gone on as long as its number is the same. */
  private static final class Wait {
    /** See {@link CarrierStates#waitNumber}. */
    long waits;

    long since;

    Optional<Place> place = Optional.empty();
    Use use = Use.OTHER;

    /** The same number for all that wait for the same end. */
    int end;

    String lockClass = "";
  }

  private final FailedThreads failures;
  private final FutureWaits waiters;
  private final CarrierStates states;
  private final ProgramEnd end;
  private final Supplier<List<Thread>> threads;
  private final Predicate<Object> endedAtExit;
  private final ToIntFunction<List<StackTraceElement>> number;
  private final Map<Thread, Wait> followed = new HashMap<>();

  /** The time at which a thread was last seen to have gone on from a place where others wait. */
  private final Map<Place, Long> left = new HashMap<>();

  /** Where threads have waited alone and gone on, as each long poll does. */
  private final SeenStacks wentOn = new SeenStacks();

  private final LookPeriod period = new LookPeriod();

  private long now;

  /**
   * @param states tells one wait of a thread from the next
   * @param threads returns the platform threads
   * @param failures tells which threads have failed
   * @param waiters tells which threads wait for one future
   * @param endedAtExit tells of what a thread is parked for, or null, whether the program ends that
   *     wait when it exits
   * @param number returns the number of a stack, and records a new stack
   */
  PlatformWaits(
      CarrierStates states,
      ProgramEnd end,
      FailedThreads failures,
      FutureWaits waiters,
      Supplier<List<Thread>> threads,
      Predicate<Object> endedAtExit,
      ToIntFunction<List<StackTraceElement>> number) {
    this.states = states;
    this.end = end;
    this.failures = failures;
    this.waiters = waiters;
    this.threads = threads;
    this.endedAtExit = endedAtExit;
    this.number = number;
  }

  /**
   * Returns the waits that have lasted at this sample.
   *
   * @param alive the number of virtual threads
   * @param elapsedNanos the time since the last one, without the time in which the JVM was stopped
   */
  List<LongWait> of(long look, long alive, long elapsedNanos) {
    now += elapsedNanos;
    if (period.isOver(now)) {
      look(threads.get());
    }
    Map<Place, List<Wait>> places = new LinkedHashMap<>();
    Map<Place, Long> stands = new HashMap<>();
    Set<Thread> waiting = new HashSet<>();
    followed.forEach(
        (thread, wait) -> {
          long since =
              wait.place.isEmpty() ? now : standsSince(LockSupport.getBlocker(thread), wait.since);
          if (since < now) {
            places.computeIfAbsent(wait.place.get(), same -> new ArrayList<>()).add(wait);
            stands.merge(wait.place.get(), since, Math::min);
            waiting.add(thread);
          }
        });
    // Whoever comes to a place later has not waited there before; nothing is kept of such places.
    left.keySet().retainAll(places.keySet());
    Set<Integer> ends =
        places.entrySet().stream()
            .filter(each -> each.getKey().lock != 0 && each.getValue().getFirst().use == Use.OF_END)
            .map(each -> each.getKey().lock)
            .collect(Collectors.toSet());
    List<LongWait> all = new ArrayList<>();
    places.forEach(
        (place, waits) -> {
          long since = stands.get(place);
          long nanos = now - Math.max(since, left.getOrDefault(place, since));
          if (nanos < LongWait.SHORTEST_AT_END_NANOS) {
            return;
          }
          Optional<FailedThreads.Left> left = failures.thatLeftBeside(place.awaited, place.stack);
          boolean worker = waits.getFirst().use == Use.OF_WORKER;
          Set<LoopTarget> inVain = worker ? end.awaitedInVain(place.stack) : Set.of();
          if (isOfRequests(place, waits, ends)
              || areLeft(left, waits)
              || !inVain.isEmpty()
              || (!worker && end.isAllThatGoesOn(waiting, alive))) {
            all.add(
                new LongWait(
                    look,
                    number.applyAsInt(place.stack),
                    place.timed ? Thread.State.TIMED_WAITING : Thread.State.WAITING,
                    waits.getFirst().lockClass,
                    place.lock,
                    waits.size(),
                    mayGoOn(place, waits) ? waits.size() : 0,
                    nanos,
                    place.timed,
                    LongWait.Wakers.OTHERS,
                    detail(left, inVain)));
          }
        });
    return all;
  }

  /** Returns since when a thread waits in vain; now if what it waits for may go on. */
  private long standsSince(Object lock, long since) {
    if (!waiters.isPeriodic(lock)) {
      return since;
    }
    if (waiters.comesAgain(lock)) {
      return now;
    }
    long due = now - waiters.inVain(lock, now - since);
    // Such a task runs for long if its thread does.
    Optional<Thread> runner = waiters.runner(lock);
    return runner
        .map(followed::get)
        .map(wait -> Math.max(due, wait.since))
        .orElse(runner.isPresent() ? now : due);
  }

  private static WaitDetail detail(Optional<FailedThreads.Left> left, Set<LoopTarget> inVain) {
    if (left.isPresent()) {
      return new WaitDetail(WaitDetail.Kind.PLATFORM_LEFT, left.get().exception());
    }
    return inVain.isEmpty()
        ? WaitDetail.of(WaitDetail.Kind.PLATFORM)
        : new WaitDetail(WaitDetail.Kind.PLATFORM_LOOP, LoopTarget.changes(inVain));
  }

  /** Returns whether a thread has failed that had to end these waits, and none does the same. */
  private boolean areLeft(Optional<FailedThreads.Left> left, List<Wait> waits) {
    return left.isPresent()
        && !end.runs(left.get())
        && (waits.getFirst().use != Use.OF_END || !end.isOfServer());
  }

  /**
   * Returns whether these do more than keep the program alive, as far as is known.
   *
   * @param ends the locks of threads that may only keep it alive: a server's tasks may await its
   *     end, too
   */
  private boolean isOfRequests(Place place, List<Wait> waits, Set<Integer> ends) {
    return switch (waits.getFirst().use) {
      case OF_POOL, OF_PERIODIC, OF_CALL, OF_ROOM -> true;
      case OF_TASK ->
          !(ends.contains(place.lock) && end.isOfServer()) && areOfAnswers(place, waits);
      case OF_RESULTS -> areOfAnswers(place, waits);
      case OF_PARTS ->
          !end.mayCome(place.awaited)
              || (!place.awaited.is(Awaited.Trait.LATCH) && areSeveral(place, waits));
      case OF_WORKER -> false;
      case OF_END, OTHER -> areSeveral(place, waits);
    };
  }

  private boolean areOfAnswers(Place place, List<Wait> waits) {
    return !end.mayBeDone(place.awaited) || areSeveral(place, waits);
  }

  private boolean areSeveral(Place place, List<Wait> waits) {
    boolean onlyForEnd =
        waits.stream().allMatch(wait -> wait.use == Use.OF_END)
            && waits.stream().mapToInt(wait -> wait.end).distinct().count() == 1;
    return !place.timed
        && waits.size() >= SEVERAL
        && (waits.size() >= MANY_OF_SERVER || !onlyForEnd || !end.isOfServer());
  }

  private void look(List<Thread> all) {
    List<Thread> waiting =
        all.stream()
            .filter(PlatformWaits::isOfApplication)
            .filter(thread -> thread.getState() == Thread.State.WAITING || isAtLatch(thread))
            .toList();
    if (waiting.size() > MOST) {
      waiting = List.of();
    }
    followed.keySet().retainAll(waiting);
    for (Thread thread : waiting) {
      // No ThreadInfo of it: a thread of another scheduler may carry virtual threads.
      // A thread that comes back to a latch has waited for it in vain: nothing closes it again.
      look(
          thread,
          isAtLatch(thread)
              ? -1L - System.identityHashCode(LockSupport.getBlocker(thread))
              : states.waitNumber(thread, Thread.State.WAITING));
    }
    states.close();
  }

  private static boolean isAtLatch(Thread thread) {
    Object lock = LockSupport.getBlocker(thread);
    return lock != null
        && lock.getClass().getName().equals(LATCH)
        && thread.getState() == Thread.State.TIMED_WAITING;
  }

  /** Carriers stand still while nothing runs, and threads of the JVM wait for its own work. */
  private static boolean isOfApplication(Thread thread) {
    return !thread.getClass().getName().startsWith("jdk.internal.");
  }

  private void look(Thread thread, long waits) {
    Wait known = followed.get(thread);
    if (known != null && known.waits == waits) {
      if (known.place.isEmpty() && known.since < now) {
        // It has waited since the last look: only now is its stack worth reading.
        read(thread, known);
      }
      return;
    }
    if (known != null) {
      known.place.ifPresent(this::leave);
    }
    Wait wait = new Wait();
    wait.waits = waits;
    wait.since = now;
    followed.put(thread, wait);
  }

  private void leave(Place place) {
    left.put(place, now);
    wentOn.add(place.stack);
  }

  /** Returns whether a wait of its own ended there before, so that this one may take as long. */
  private boolean mayGoOn(Place place, List<Wait> waits) {
    return switch (waits.getFirst().use) {
      case OF_CALL, OF_ROOM, OF_TASK -> wentOn.has(place.stack);
      case OF_POOL, OF_PERIODIC, OF_RESULTS, OF_PARTS, OF_WORKER, OF_END, OTHER -> false;
    };
  }

  private void read(Thread thread, Wait wait) {
    Thread.State state = thread.getState();
    List<StackTraceElement> stack = List.of(thread.getStackTrace());
    Object lock = LockSupport.getBlocker(thread);
    boolean timed = isAtLatch(thread);
    if (state != Thread.State.WAITING && !timed) {
      return;
    }
    List<Frame> frames = ThreadReader.frames(stack);
    Awaited awaited = KnownWaits.of(new StackTrace(frames, false), state);
    if (KnownLibraries.caller(frames).isEmpty() || endedAtExit.test(lock)) {
      return;
    }
    boolean request = isOfRequest(awaited);
    if (!request && !(awaited.isSignalOfWorkers() && ProgramEnd.mayKeepAlive(thread, stack))) {
      return;
    }
    wait.lockClass = lock == null ? "" : lock.getClass().getName();
    wait.use = request ? use(thread, awaited, stack, lock) : Use.OF_WORKER;
    wait.end = System.identityHashCode(waiters.first(lock));
    int identity =
        awaited.kind() == Awaited.Kind.FUTURE || lock == null ? 0 : System.identityHashCode(lock);
    wait.place = Optional.of(new Place(stack, identity, awaited, timed));
  }

  private Use use(Thread thread, Awaited awaited, List<StackTraceElement> stack, Object lock) {
    if (awaited.kind() == Awaited.Kind.POOL) {
      return Use.OF_POOL;
    }
    if (awaited.is(Awaited.Trait.CALL)) {
      return Use.OF_CALL;
    }
    if (awaited.isFullQueue()) {
      return Use.OF_ROOM;
    }
    if (awaited.is(Awaited.Trait.TASK) && waiters.isPeriodic(lock)) {
      return Use.OF_PERIODIC;
    }
    if ((awaited.is(Awaited.Trait.TASK) && !waiters.isRun(lock))
        || (awaited.is(Awaited.Trait.COMPLETABLE) && end.isForResults(stack))) {
      return Use.OF_RESULTS;
    }
    if (awaited.is(Awaited.Trait.PARTNERS) || end.isForParts(stack)) {
      return Use.OF_PARTS;
    }
    if (isAnswer(awaited) && ProgramEnd.isOfPool(stack)) {
      return Use.OF_TASK;
    }
    return isAnswer(awaited) && ProgramEnd.mayKeepAlive(thread, stack) ? Use.OF_END : Use.OTHER;
  }

  /** Returns whether another thread tells once that something is done. */
  private static boolean isAnswer(Awaited awaited) {
    return awaited.is(Awaited.Trait.LATCH) || awaited.is(Awaited.Trait.COMPLETABLE);
  }

  /** Returns whether neither idle workers nor threads that keep the program alive wait for it. */
  private static boolean isOfRequest(Awaited awaited) {
    return (awaited.isNeverOfIdle() || awaited.is(Awaited.Trait.CALL))
        && !awaited.is(Awaited.Trait.JOIN)
        && !awaited.is(Awaited.Trait.HANDOVER);
  }
}
