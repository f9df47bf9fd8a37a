package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.threads.BusyWaitSearch;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownLibraries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells from the code whether loops of the application lead back to a wait, as those of workers and
 * event loops do, once for each stack.
 */
final class LoopsBack {
  /** The number of stacks that are analyzed. */
  private static final int STACKS = 500;

  private final LoopTargets targets;
  private final Map<List<StackTraceElement>, Boolean> looping = new HashMap<>();
  private final Map<List<StackTraceElement>, Boolean> answers = new HashMap<>();

  /**
   * @param targets reads the code
   */
  LoopsBack(LoopTargets targets) {
    this.targets = targets;
  }

  /** Returns whether no loop leads back there; false if that is not known. */
  boolean neverLead(List<StackTraceElement> stack) {
    return looping.size() < STACKS && !looping.computeIfAbsent(stack, this::isInLoop);
  }

  /**
   * Returns whether the wait may be in a loop of the application: unreadable code may contain one.
   */
  private Boolean isInLoop(List<StackTraceElement> stack) {
    List<Frame> written = LoopTargets.written(stack);
    List<CodeSites> code = targets.code(written);
    // A task may be the JDK's method itself, such as queue::take; the JDK reads connections and
    // waits for events in loops.
    return (written.isEmpty() && isOfLoopsOfJdk(awaited(stack)))
        || (written.stream().anyMatch(frame -> LoopTargets.mayBeInLoop(frame, code))
            && !LoopTargets.takesFromItsOwn(written, code));
  }

  private static boolean isOfLoopsOfJdk(Awaited awaited) {
    return awaited.kind() == Awaited.Kind.DATA || awaited.is(Awaited.Trait.SELECTOR);
  }

  /**
   * Returns whether a thread waits for events in a loop that ends when it has an answer, and to
   * which no other loop leads back.
   */
  boolean awaitsAnswer(List<StackTraceElement> stack) {
    return answers.size() < STACKS && answers.computeIfAbsent(stack, this::findAnswer);
  }

  private Boolean findAnswer(List<StackTraceElement> stack) {
    if (!awaited(stack).is(Awaited.Trait.SELECTOR)) {
      return false;
    }
    List<Frame> written = LoopTargets.written(stack);
    List<CodeSites> code = targets.code(written);
    List<Frame> around =
        written.stream().dropWhile(frame -> !LoopTargets.mayBeInLoop(frame, code)).toList();
    Optional<Frame> site = around.stream().findFirst();
    return site.isPresent()
        && BusyWaitSearch.of(site.get(), code)
            .anyMatch(sites -> sites.selectsForAnswer(site.get().method(), site.get().line()))
        && around.stream().skip(1).noneMatch(frame -> LoopTargets.mayBeInLoop(frame, code));
  }

  /**
   * Returns whether a platform thread waits for events of its own, once or until it has an answer.
   * A task of an executor may submit itself again in place of a loop.
   */
  boolean awaitsOwnEvents(List<StackTraceElement> stack) {
    List<Frame> written = LoopTargets.written(stack);
    return !written.isEmpty()
        && awaited(stack).is(Awaited.Trait.SELECTOR)
        && KnownLibraries.caller(ThreadReader.frames(stack)).equals(written.stream().findFirst())
        && (awaitsAnswer(stack) || (neverLead(stack) && !PlatformLoops.isOfExecutor(stack)));
  }

  private static Awaited awaited(List<StackTraceElement> stack) {
    return LastingWaits.awaited(stack, Thread.State.WAITING);
  }
}
