package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.Enders;
import io.github.vtdiag.agent.ends.FailedThreads;
import io.github.vtdiag.agent.ends.Limiters;
import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.Seldom;
import io.github.vtdiag.agent.ends.Timeouts;
import io.github.vtdiag.agent.ends.TimerTasks;
import io.github.vtdiag.agent.ends.WaitGroup;
import io.github.vtdiag.agent.threads.Later;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.WaitDetail;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Finds what would end waits that have lasted: a thread that may still do so, or one that failed.
 */
final class WaitEndSearch {
  /** The shortest wait for which the thread that may end it is looked for. */
  private static final long LOOKED_FOR_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** The shortest wait for which a failure is looked for, which takes no stacks. */
  private static final long LEFT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The place of the tasks of which the time is unknown. */
  private static final String COMMON_POOL = "the JDK's common pool";

  private final LoopTargets targets;
  private final Enders enders;
  private final Enders parts;
  private final FailedThreads failures;
  private final Later<TimerTasks> timers = new Later<>(TimerTasks::new);
  private final Later<Limiters> limiters;
  private final Map<LoopTargets.Ends, Seldom<Boolean>> written = new HashMap<>();

  WaitEndSearch(
      LockMapReader classes,
      LoopTargets targets,
      FailedThreads failures,
      Later<Timeouts> timeouts) {
    this.limiters = new Later<>(() -> new Limiters(timeouts.get()));
    this.targets = targets;
    this.enders = new Enders(classes, ThreadSnapshots::platformThreadsOfProgram, false);
    this.parts = new Enders(classes, ThreadSnapshots::platformThreadsOfProgram, true);
    this.failures = failures;
  }

  /** Returns whether threads may leave this loop for a moment that nobody sees. */
  boolean mayBeServed(WaitLoops.Loop loop, Consumer<Consumer<Thread>> threads) {
    return targets.mayBeServed(loop.stack(), parts, threads);
  }

  /** Returns what ends a loop, and whether a thread that would have ended it has failed. */
  WaitDetail until(WaitLoops.Loop loop, Consumer<Consumer<Thread>> threads) {
    WaitDetail until = targets.until(loop.stack(), loop.signalled());
    if (failures.areNone()) {
      return until; // No code has to be read for what would have ended it.
    }
    LoopTargets.Ends ends = targets.ends(loop.stack());
    if (ends.fields().isEmpty()) {
      return until;
    }
    Optional<String> left =
        failures
            .thatLeft(ends.fields())
            .map(failed -> new WaitDetail(WaitDetail.Kind.LEFT, failed.exception()).clause())
            .or(() -> until.isKnown() ? Optional.empty() : failures.unseen());
    return left.isEmpty() || (!until.isKnown() && mayBeWritten(ends, threads))
        ? until
        : new WaitDetail(
            WaitDetail.Kind.LOOP, LoopTarget.changes(ends.fields()) + ", " + left.get());
  }

  /** Returns whether a thread that lives is in a method that writes the fields. */
  private boolean mayBeWritten(LoopTargets.Ends ends, Consumer<Consumer<Thread>> threads) {
    return written
        .computeIfAbsent(
            ends, same -> new Seldom<>(() -> parts.writes(same.method(), same.fields(), threads)))
        .get();
  }

  /**
   * Returns the method of a thread that may end their wait, the failure of one that may have had
   * to, the time until a task that may, or the one until a limiter does; none if none is seen.
   */
  WaitDetail ender(WaitGroup group, LongWaits waits, Consumer<Consumer<Thread>> threads) {
    Awaited awaited = LastingWaits.awaited(group.stack(), group.state());
    Optional<String> retrier = waits.retriers().awaited(group.members(), waits.joins());
    return (retrier.isPresent() || group.repeated() || group.longestNanos() < LOOKED_FOR_NANOS
            ? retrier
            : enders.find(awaited, threads))
        .map(method -> new WaitDetail(WaitDetail.Kind.MAY_END, method))
        .or(() -> left(group, awaited))
        .or(() -> scheduled(group))
        .or(() -> limited(group))
        .orElse(WaitDetail.NONE);
  }

  /** Returns whether periodic tasks that go on bring the elements of what they wait for. */
  boolean areFed(WaitGroup group) {
    return timers.get().feed(group.members().stream().map(LockSupport::getBlocker).toList());
  }

  private Optional<WaitDetail> scheduled(WaitGroup group) {
    if (group.repeated() || group.longestNanos() < LOOKED_FOR_NANOS) {
      return Optional.empty();
    }
    List<Object> blockers = group.members().stream().map(LockSupport::getBlocker).toList();
    OptionalLong due = timers.get().end(blockers);
    if (due.isPresent()) {
      return Optional.of(
          new WaitDetail(WaitDetail.Kind.SCHEDULED, Figures.duration(due.getAsLong())));
    }
    return timers.get().mayBeDelayed(blockers)
        ? Optional.of(new WaitDetail(WaitDetail.Kind.SCHEDULED, COMMON_POOL))
        : Optional.empty();
  }

  private Optional<WaitDetail> limited(WaitGroup group) {
    if (group.repeated() || group.longestNanos() < LEFT_NANOS) {
      return Optional.empty();
    }
    OptionalLong end = limiters.get().end(group);
    return end.isEmpty()
        ? Optional.empty()
        : Optional.of(new WaitDetail(WaitDetail.Kind.LIMITED, Figures.duration(end.getAsLong())));
  }

  private Optional<WaitDetail> left(WaitGroup group, Awaited awaited) {
    boolean mayBeIdle =
        awaited.is(Awaited.Trait.OF_WORKERS)
            && (group.returned() > 0 || group.state() == Thread.State.TIMED_WAITING);
    return group.repeated() || mayBeIdle || group.longestNanos() < LEFT_NANOS
        ? Optional.empty()
        : failures
            .thatLeft(awaited, group.stack())
            .map(left -> new WaitDetail(WaitDetail.Kind.LEFT, left.exception()));
  }
}
