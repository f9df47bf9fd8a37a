package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.Enders;
import io.github.vtdiag.agent.ends.FailedThreads;
import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.ProgramEnd;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Follows platform threads in loops that only wait, such as the one that starts a program and
 * sleeps until something is loaded. No other loop leads back there, so that a thread which is found
 * in such a loop again has not left it, and no thread that lives is seen to end it.
 */
final class PlatformLoops {
  /** If more platform threads than that wait with a timeout, none is followed. */
  private static final int MOST = 200;

  /** The number of stacks that are analyzed. */
  private static final int STACKS = 200;

  /**
   * The things for which a loop waits.
   *
   * @param calls the calls by which they come, one of which a failed thread must have had ahead;
   *     none if the loop is sure to have had nothing so far
   */
  private record Sought(Set<LoopTarget> targets, Set<String> calls) {}

  /**
   * A thread in a loop.
   *
   * @param method the method that has the loop
   */
  private record Pausing(List<StackTraceElement> stack, String method, Sought sought, long since) {}

  private final LoopTargets loops;
  private final ProgramEnd end;
  private final FailedThreads failures;
  private final Supplier<List<Thread>> threads;
  private final ToIntFunction<List<StackTraceElement>> number;
  private final Map<Thread, Pausing> followed = new HashMap<>();
  private final Map<List<StackTraceElement>, Optional<Sought>> targets = new HashMap<>();
  private final LookPeriod period = new LookPeriod();

  private long now;

  /**
   * @param failures tells which threads have failed
   * @param threads returns the platform threads
   * @param number returns the number of a stack, and records a new stack
   */
  PlatformLoops(
      LockMapReader classes,
      ProgramEnd end,
      FailedThreads failures,
      Supplier<List<Thread>> threads,
      ToIntFunction<List<StackTraceElement>> number) {
    this.loops = new LoopTargets(classes);
    this.end = end;
    this.failures = failures;
    this.threads = threads;
    this.number = number;
  }

  /**
   * Returns the loops that have lasted at this sample.
   *
   * @param elapsedNanos the time since the last one, without the time in which the JVM was stopped
   */
  List<LongWait> of(long look, long elapsedNanos) {
    now += elapsedNanos;
    if (period.isOver(now)) {
      look(threads.get());
    }
    List<LongWait> all = new ArrayList<>();
    followed.forEach(
        (thread, loop) -> {
          long nanos = now - loop.since;
          if (nanos >= LongWait.SHORTEST_AT_END_NANOS
              && (!loop.sought.calls.isEmpty()
                  || !end.mayChange(loop.method, loop.sought.targets))) {
            all.add(
                new LongWait(
                    look,
                    number.applyAsInt(loop.stack),
                    Thread.State.TIMED_WAITING,
                    "",
                    0,
                    1,
                    0,
                    nanos,
                    false,
                    LongWait.Wakers.NONE,
                    detail(loop)));
          }
        });
    return all;
  }

  private WaitDetail detail(Pausing loop) {
    return left(loop)
        .map(left -> new WaitDetail(WaitDetail.Kind.PLATFORM_LEFT, left.exception()))
        .orElseGet(
            () ->
                new WaitDetail(
                    WaitDetail.Kind.PLATFORM_LOOP, LoopTarget.changes(loop.sought.targets)));
  }

  /** Returns a failure after which a call did not come for which the loop waits. */
  private Optional<FailedThreads.Left> left(Pausing loop) {
    return failures.thatLeftBeside(loop.sought.calls, loop.stack);
  }

  /** Returns whether such a call may have come, or may come. */
  private boolean mayBeServed(Pausing loop) {
    if (loop.sought.calls.isEmpty()) {
      return false;
    }
    Optional<FailedThreads.Left> left = left(loop);
    return left.isEmpty() || end.runs(left.get()) || end.mayCall(loop.method, loop.sought.calls);
  }

  private void look(List<Thread> all) {
    List<Thread> waiting =
        all.stream()
            .filter(
                thread ->
                    thread.getState() == Thread.State.TIMED_WAITING || followed.containsKey(thread))
            .toList();
    if (waiting.size() > MOST) {
      waiting = List.of();
    }
    followed.keySet().retainAll(waiting);
    for (Thread thread : waiting) {
      List<StackTraceElement> stack = List.of(thread.getStackTrace());
      Pausing known = followed.get(thread);
      if (known != null && isIn(known, stack)) { // It may run for a moment.
        if (mayBeServed(known)) {
          followed.put(thread, new Pausing(known.stack, known.method, known.sought, now));
        }
        continue;
      }
      followed.remove(thread);
      targets(stack)
          .ifPresent(
              until -> {
                String method = loops.around(stack).getFirst().qualifiedMethod();
                followed.put(thread, new Pausing(stack, method, until, now));
              });
    }
  }

  /** Returns whether a thread is still in the method of its loop, which it has not left. */
  private boolean isIn(Pausing loop, List<StackTraceElement> stack) {
    return loop.stack.equals(stack)
        || loops.around(loop.stack).equals(loops.around(stack))
        || loops.areInOneLoop(loop.stack, stack);
  }

  private Optional<Sought> targets(List<StackTraceElement> stack) {
    if (stack.isEmpty() || isOfExecutor(stack)) {
      return Optional.empty();
    }
    return targets.size() == STACKS && !targets.containsKey(stack)
        ? Optional.empty()
        : targets.computeIfAbsent(stack, this::find);
  }

  /** Returns whether the JDK may call the code again and again, such as for each task. */
  static boolean isOfExecutor(List<StackTraceElement> stack) {
    return stack.stream()
        .dropWhile(PlatformLoops::isOfJdk)
        .anyMatch(frame -> frame.getClassName().startsWith("java.util."));
  }

  static boolean isOfJdk(StackTraceElement frame) {
    return Stream.of("java.", "jdk.", "sun.").anyMatch(frame.getClassName()::startsWith);
  }

  private Optional<Sought> find(List<StackTraceElement> stack) {
    List<Frame> around = loops.around(stack);
    if (around.isEmpty()) {
      return Optional.empty();
    }
    if (!KnownLibraries.caller(ThreadReader.frames(stack)).equals(around.stream().findFirst())) {
      return Optional.empty(); // A library's own thread.
    }
    return loops
        .targets(stack)
        .map(until -> new Sought(until, LoopTargets.changing(until)))
        .or(() -> loops.polledForNumber(stack).map(until -> new Sought(until, Enders.PUTS)));
  }
}
