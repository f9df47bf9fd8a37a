package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.OwnConnections;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import io.github.vtdiag.watch.CarrierStates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Follows platform threads that wait without a timeout for events or data of connections, until
 * they have an answer, and virtual threads that keep their carrier so, as before Java 25. To Java
 * they run, so the operating system tells whether one went on.
 */
final class PlatformSelects {
  /** If more platform threads run than that, none is followed. */
  private static final int MOST = 200;

  /** One wait of a thread, which has not gone on as long as it ran as often. */
  private static final class Wait {
    final boolean ofVirtual;
    final Thread carrier;
    final long runs;
    final long since;

    /** Null until the thread has waited from one look to the next. */
    List<StackTraceElement> stack;

    /** The way it waits; null until it has waited for long. Whatever comes ends the wait. */
    WaitDetail detail;

    Wait(Thread thread, Thread carrier, long runs, long since) {
      this.ofVirtual = thread.isVirtual();
      this.carrier = carrier;
      this.runs = runs;
      this.since = since;
    }

    boolean isSame(Thread on, long number) {
      return carrier.equals(on) && runs == number;
    }
  }

  private final CarrierStates states;
  private final OwnConnections.OfFiles connections;
  private final BiFunction<List<StackTraceElement>, BooleanSupplier, WaitDetail> ownEvents;
  private final Supplier<List<Thread>> threads;
  private final ToIntFunction<List<StackTraceElement>> number;
  private final Map<Thread, Wait> followed = new HashMap<>();

  /** Where threads have waited and gone on, as each long poll does. */
  private final SeenStacks wentOn = new SeenStacks();

  private final LookPeriod period = new LookPeriod();

  private long now;

  /**
   * @param states tells how often a thread ran, and from which file it reads
   * @param connections tells of the files that are connections
   * @param ownEvents tells how a thread with this stack waits for events of its own, or reads from
   *     a connection that this program may have made
   * @param threads returns the platform threads
   * @param number returns the number of a stack, and records a new stack
   */
  PlatformSelects(
      CarrierStates states,
      OwnConnections.OfFiles connections,
      BiFunction<List<StackTraceElement>, BooleanSupplier, WaitDetail> ownEvents,
      Supplier<List<Thread>> threads,
      ToIntFunction<List<StackTraceElement>> number) {
    this.states = states;
    this.connections = connections;
    this.ownEvents = ownEvents;
    this.threads = threads;
    this.number = number;
  }

  /**
   * Returns the waits that have lasted at this sample.
   *
   * @param elapsedNanos the time since the last one, without the time in which the JVM was stopped
   * @param mounted the carriers of the virtual threads that have one
   */
  List<LongWait> of(long look, long elapsedNanos, Map<Thread, Thread> mounted) {
    now += elapsedNanos;
    if (period.isOver(now)) {
      look(mounted);
    }
    List<LongWait> all = new ArrayList<>();
    followed.forEach(
        (thread, wait) -> {
          long nanos = now - wait.since;
          WaitDetail detail =
              wait.stack == null || nanos < LongWait.SHORTEST_AT_END_NANOS
                  ? WaitDetail.NONE
                  : detail(wait);
          if (detail.isKnown()) {
            all.add(
                new LongWait(
                    look,
                    number.applyAsInt(wait.stack),
                    Thread.State.WAITING,
                    "",
                    0,
                    1,
                    wentOn.has(wait.stack) ? 1 : 0,
                    nanos,
                    false,
                    LongWait.Wakers.NONE,
                    thread.isVirtual() || detail.kind() == WaitDetail.Kind.PLATFORM_CLASS
                        ? detail
                        : WaitDetail.of(WaitDetail.Kind.PLATFORM)));
          }
        });
    states.close();
    return all;
  }

  private WaitDetail detail(Wait wait) {
    if (wait.detail == null) {
      if (!wait.ofVirtual && isForClass(wait)) {
        wait.detail = WaitDetail.of(WaitDetail.Kind.PLATFORM_CLASS);
        return wait.detail;
      }
      OptionalInt file =
          LoopsBack.isRead(wait.stack) ? states.reads(wait.carrier) : OptionalInt.empty();
      WaitDetail own =
          ownEvents.apply(
              wait.stack, () -> file.isPresent() && connections.isMade(file.getAsInt()));
      boolean silent =
          !own.isKnown()
              && file.isPresent()
              && !LoopTargets.written(wait.stack).isEmpty() // The JDK reads for others.
              && connections.isSilent(file.getAsInt());
      wait.detail = silent ? WaitDetail.of(WaitDetail.Kind.SILENT) : own;
    }
    return wait.detail;
  }

  /**
   * Returns whether a thread that seems to run Java code does not: then another one loads or
   * initializes a class that it needs, which no stack shows.
   */
  private boolean isForClass(Wait wait) {
    return !LoopTargets.written(wait.stack).isEmpty()
        && !wait.stack.getFirst().isNativeMethod()
        && !states.isInNative(wait.carrier)
        && !states.mayWantProcessor(wait.carrier);
  }

  private void look(Map<Thread, Thread> mounted) {
    List<Thread> running =
        Stream.concat(threads.get().stream(), mounted.keySet().stream())
            .filter(thread -> thread.getState() == Thread.State.RUNNABLE)
            .toList();
    if (running.size() > MOST) {
      running = List.of();
    }
    followed.keySet().retainAll(running);
    for (Thread thread : running) {
      Thread carrier = mounted.getOrDefault(thread, thread);
      long runs = states.runs(carrier);
      Wait known = followed.get(thread);
      if (runs == 0) { // It is not known.
        followed.remove(thread);
      } else if (known == null || !known.isSame(carrier, runs)) {
        if (known != null && known.stack != null) {
          wentOn.add(known.stack);
        }
        followed.put(thread, new Wait(thread, carrier, runs, now));
      } else if (known.stack == null) {
        known.stack = List.of(thread.getStackTrace());
      }
    }
    states.close();
  }
}
