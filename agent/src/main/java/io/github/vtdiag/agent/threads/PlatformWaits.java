package io.github.vtdiag.agent.threads;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownLibraries;
import io.github.vtdiag.waits.KnownWaits;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import io.github.vtdiag.watch.CarrierStates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;

/**
 * Follows platform threads that wait, without a timeout, for what other threads have to do: in many
 * programs requests run on platform threads, and virtual threads work for them. A single one may
 * only keep the program alive, so it counts only if it waits for an object of a pool.
 */
final class PlatformWaits {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** If more platform threads wait than that, none is followed. */
  private static final int MOST = 500;

  /** The number of threads at one place from which they are requests rather than a service. */
  private static final int SEVERAL = 2;

  /**
   * A place where threads wait.
   *
   * @param lock the identity hash of what they are parked for; 0 if each has its own, as futures
   *     are
   * @param ofPool whether they wait for an object of a pool
   */
  private record Place(List<StackTraceElement> stack, int lock, boolean ofPool) {}

  /** One wait of a thread, which has not gone on as long as its number is the same. */
  private static final class Wait {
    /** See {@link CarrierStates#waitNumber}. */
    long waits;

    long since;
    Optional<Place> place = Optional.empty();
    String lockClass = "";
  }

  private final CarrierStates states;
  private final ShutdownHooks hooks = new ShutdownHooks();
  private final ToIntFunction<List<StackTraceElement>> number;
  private final Map<Thread, Wait> followed = new HashMap<>();

  /** The time at which a thread was last seen to have gone on from a place where others wait. */
  private final Map<Place, Long> left = new HashMap<>();

  private long now;
  private long lookedNanos = -PERIOD_NANOS;

  /**
   * @param states tells one wait of a thread from the next
   * @param number returns the number of a stack, and records a new stack
   */
  PlatformWaits(CarrierStates states, ToIntFunction<List<StackTraceElement>> number) {
    this.states = states;
    this.number = number;
  }

  /**
   * Returns the waits that have lasted at this sample.
   *
   * @param elapsedNanos the time since the last one, without the time in which the JVM was stopped
   */
  List<LongWait> of(long look, long elapsedNanos) {
    now += elapsedNanos;
    if (now - lookedNanos >= PERIOD_NANOS) {
      lookedNanos = now;
      look(ThreadSnapshots.platformThreads());
    }
    Map<Place, List<Wait>> places = new LinkedHashMap<>();
    for (Wait wait : followed.values()) {
      wait.place.ifPresent(
          place -> places.computeIfAbsent(place, same -> new ArrayList<>()).add(wait));
    }
    // Whoever comes to a place later has not waited there before; nothing is kept of such places.
    left.keySet().retainAll(places.keySet());
    List<LongWait> all = new ArrayList<>();
    places.forEach(
        (place, waits) -> {
          long since = waits.stream().mapToLong(wait -> wait.since).min().getAsLong();
          long nanos = now - Math.max(since, left.getOrDefault(place, since));
          if (nanos >= LongWait.SHORTEST_NANOS && (waits.size() >= SEVERAL || place.ofPool)) {
            all.add(
                new LongWait(
                    look,
                    number.applyAsInt(place.stack),
                    Thread.State.WAITING,
                    waits.getFirst().lockClass,
                    place.lock,
                    waits.size(),
                    0,
                    nanos,
                    false,
                    LongWait.Wakers.OTHERS,
                    WaitDetail.of(WaitDetail.Kind.PLATFORM)));
          }
        });
    return all;
  }

  private void look(List<Thread> threads) {
    List<Thread> waiting =
        threads.stream()
            .filter(PlatformWaits::isOfApplication)
            .filter(thread -> thread.getState() == Thread.State.WAITING)
            .toList();
    if (waiting.size() > MOST) {
      waiting = List.of();
    }
    followed.keySet().retainAll(waiting);
    for (Thread thread : waiting) {
      // No ThreadInfo of it: a thread of another scheduler may carry virtual threads.
      look(thread, states.waitNumber(thread, Thread.State.WAITING));
    }
    states.close();
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
      known.place.ifPresent(place -> left.put(place, now));
    }
    Wait wait = new Wait();
    wait.waits = waits;
    wait.since = now;
    followed.put(thread, wait);
  }

  private void read(Thread thread, Wait wait) {
    if (thread.getState() != Thread.State.WAITING) {
      return;
    }
    List<StackTraceElement> stack = List.of(thread.getStackTrace());
    Object lock = LockSupport.getBlocker(thread);
    Awaited awaited =
        KnownWaits.of(new StackTrace(ThreadReader.frames(stack), false), Thread.State.WAITING);
    if (!isOfRequest(awaited) || !isWritten(stack) || hooks.end(lock)) {
      return;
    }
    boolean each = awaited.kind() == Awaited.Kind.FUTURE;
    wait.lockClass = lock == null ? "" : lock.getClass().getName();
    wait.place =
        Optional.of(
            new Place(
                stack,
                each || lock == null ? 0 : System.identityHashCode(lock),
                awaited.kind() == Awaited.Kind.POOL));
  }

  /** Returns whether neither idle workers nor threads that keep the program alive wait for it. */
  static boolean isOfRequest(Awaited awaited) {
    return awaited.isNeverOfIdle()
        && !awaited.is(Awaited.Trait.JOIN)
        && !awaited.is(Awaited.Trait.HANDOVER);
  }

  private static boolean isWritten(List<StackTraceElement> stack) {
    return KnownLibraries.caller(ThreadReader.frames(stack)).isPresent();
  }
}
