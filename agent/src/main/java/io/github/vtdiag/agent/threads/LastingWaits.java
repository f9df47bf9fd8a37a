package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.BusyWait;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.Stall;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * What is recorded of waits that have lasted: with those of {@link LongWaits} the loops that only
 * wait, and what is known of connections to this JVM itself.
 */
final class LastingWaits {
  /** Of more different stacks nothing further is found out. */
  private static final int STACKS = 500;

  /** Who has waited to read for less is not asked for. */
  private static final long READING_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LockMapReader classes;
  private final ToIntFunction<List<StackTraceElement>> number;
  private final WaitLoops loops = new WaitLoops();
  private final UnansweredReads unanswered;
  private final Map<List<StackTraceElement>, Boolean> failing = new HashMap<>();
  private final Map<List<StackTraceElement>, Boolean> reads = new HashMap<>();

  /** What loops wait for; empty for those that do anything else. */
  private final Map<List<StackTraceElement>, String> untils = new HashMap<>();

  /**
   * @param classes their code tells which loops only wait
   * @param number numbers a stack, and tells of a new one what it is
   */
  LastingWaits(
      Instrumentation instrumentation,
      LockMapReader classes,
      ToIntFunction<List<StackTraceElement>> number) {
    this.classes = classes;
    this.number = number;
    this.unanswered = new UnansweredReads(instrumentation);
  }

  /** Begins a look, so long after the last one, without the time in which the JVM was stopped. */
  void begin(long elapsedNanos) {
    loops.begin(elapsedNanos);
  }

  /**
   * A thread without a carrier stands there.
   *
   * @param ran whether it has run since it was seen last
   */
  void seen(Thread thread, List<StackTraceElement> stack, boolean ran) {
    if (ran) {
      loops.seen(thread, stack);
    }
  }

  /** Whether a thread may be in a loop that only waits. */
  boolean isInLoop(Thread thread) {
    return loops.follows(thread);
  }

  /** A thread that may be in a loop runs there. */
  void runs(Thread thread, List<StackTraceElement> stack) {
    loops.runs(thread, stack);
  }

  /** All of them at this look. */
  List<LongWait> of(List<WaitGroup> groups, long look) {
    List<LongWait> all = new ArrayList<>();
    Set<List<StackTraceElement>> told = new HashSet<>();
    for (WaitLoops.Loop loop : loops.loops()) {
      String until = untils.size() < STACKS ? until(loop.stack()) : "";
      if (!until.isEmpty()) {
        told.add(loop.stack());
        all.add(
            new LongWait(
                look,
                number.applyAsInt(loop.stack()),
                loop.state(),
                "",
                0,
                loop.threads(),
                0,
                loop.nanos(),
                false,
                LongWait.Wakers.NONE,
                until));
      }
    }
    List<WaitGroup> reading = groups.stream().filter(this::reads).toList();
    Map<Thread, Integer> ports =
        unanswered.ports(reading.stream().flatMap(group -> group.members().stream()).toList());
    for (WaitGroup group : groups) {
      if (group.repeated() && told.contains(WaitLoops.fromPause(group.stack()))) {
        continue;
      }
      List<Integer> ownPorts =
          reading.contains(group)
              ? group.members().stream().map(ports::get).filter(port -> port != null).toList()
              : List.of();
      if (!ownPorts.isEmpty()) {
        all.add(
            longWait(
                group,
                look,
                ownPorts.size(),
                "from port " + ownPorts.getFirst() + " of this JVM, where nobody reads"));
      }
      if (ownPorts.size() < group.threads()
          && (!group.repeated() || failing.computeIfAbsent(group.stack(), this::mayFail))) {
        all.add(longWait(group, look, group.threads() - ownPorts.size(), ""));
      }
    }
    return all;
  }

  private LongWait longWait(WaitGroup group, long look, int threads, String detail) {
    return new LongWait(
        look,
        number.applyAsInt(group.stack()),
        group.state(),
        group.lockClass(),
        group.lockIdentity(),
        threads,
        group.returned(),
        group.longestNanos(),
        group.repeated(),
        group.wakers(),
        detail);
  }

  private boolean reads(WaitGroup group) {
    return group.state() == Thread.State.WAITING
        && group.longestNanos() >= READING_NANOS
        && reads.size() < STACKS
        && reads.computeIfAbsent(
            group.stack(),
            stack -> awaited(stack, Thread.State.WAITING).kind() == Awaited.Kind.DATA);
  }

  /** What ends a loop that does nothing but wait for it; empty if it does anything else. */
  private String until(List<StackTraceElement> stack) {
    return untils.computeIfAbsent(
        stack,
        same ->
            ThreadReader.frames(same).stream()
                .filter(frame -> !frame.type().isJdk())
                .findFirst()
                .flatMap(frame -> BusyWaitSearch.fields(frame, classes))
                .map(BusyWait::until)
                .orElse(""));
  }

  /** Whether who times out there again and again may stand still. */
  private Boolean mayFail(List<StackTraceElement> stack) {
    return failing.size() < STACKS && Stall.mayFail(awaited(stack, Thread.State.TIMED_WAITING));
  }

  private static Awaited awaited(List<StackTraceElement> stack, Thread.State state) {
    return KnownWaits.of(new StackTrace(ThreadReader.frames(stack), false), state);
  }
}
