package io.github.vtdiag.agent.waits;

import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import io.github.vtdiag.watch.CarrierStates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Follows platform threads that wait without a timeout for events of connections, until they have
 * an answer, and virtual threads that keep their carrier so, as before Java 25. To Java they run,
 * so the operating system tells whether one went on.
 */
final class PlatformSelects {
  /** If more platform threads run than that, none is followed. */
  private static final int MOST = 200;

  /** One wait of a thread, which has not gone on as long as it ran as often. */
  private static final class Wait {
    final Thread carrier;
    final long runs;
    final long since;

    /** Null until the thread has waited from one look to the next. */
    List<StackTraceElement> stack;

    Wait(Thread carrier, long runs, long since) {
      this.carrier = carrier;
      this.runs = runs;
      this.since = since;
    }

    boolean isSame(Thread on, long number) {
      return carrier.equals(on) && runs == number;
    }
  }

  private final CarrierStates states;
  private final Function<List<StackTraceElement>, WaitDetail> ownEvents;
  private final Supplier<List<Thread>> threads;
  private final ToIntFunction<List<StackTraceElement>> number;
  private final Map<Thread, Wait> followed = new HashMap<>();
  private final LookPeriod period = new LookPeriod();

  private long now;

  /**
   * @param states tells how often a thread ran
   * @param ownEvents tells how a thread with this stack waits for events of its own
   * @param threads returns the platform threads
   * @param number returns the number of a stack, and records a new stack
   */
  PlatformSelects(
      CarrierStates states,
      Function<List<StackTraceElement>, WaitDetail> ownEvents,
      Supplier<List<Thread>> threads,
      ToIntFunction<List<StackTraceElement>> number) {
    this.states = states;
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
                  : ownEvents.apply(wait.stack);
          if (detail.isKnown()) {
            all.add(
                new LongWait(
                    look,
                    number.applyAsInt(wait.stack),
                    Thread.State.WAITING,
                    "",
                    0,
                    1,
                    0,
                    nanos,
                    false,
                    LongWait.Wakers.NONE,
                    thread.isVirtual() ? detail : WaitDetail.of(WaitDetail.Kind.PLATFORM)));
          }
        });
    return all;
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
        followed.put(thread, new Wait(carrier, runs, now));
      } else if (known.stack == null) {
        known.stack = List.of(thread.getStackTrace());
      }
    }
    states.close();
  }
}
