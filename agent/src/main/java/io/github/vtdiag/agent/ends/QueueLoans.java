package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.BusyWaitSearch;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.locksite.PutsBack;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.waits.Awaited;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tests whether threads put back what they take from a queue, which is a pool then. */
public final class QueueLoans {
  /** The number of stacks that are analyzed. */
  private static final int STACKS = 500;

  private final LoopTargets targets;

  private final Map<List<StackTraceElement>, PutsBack> found = new HashMap<>();

  /**
   * @param targets reads the code
   */
  public QueueLoans(LoopTargets targets) {
    this.targets = targets;
  }

  /**
   * Tests it of the threads on a stack.
   *
   * @param awaited what they wait for there
   */
  public PutsBack putsBack(List<StackTraceElement> stack, Awaited awaited) {
    return found.size() < STACKS
            && awaited.isQueue()
            && awaited.kind() != Awaited.Kind.FULL_QUEUE // They put, and take nothing there.
        ? found.computeIfAbsent(stack, this::find)
        : PutsBack.NEVER;
  }

  private PutsBack find(List<StackTraceElement> stack) {
    List<Frame> frames = LoopTargets.written(stack).stream().limit(2).toList();
    if (frames.isEmpty()) {
      return PutsBack.NEVER;
    }
    Frame site = frames.getFirst();
    Optional<Frame> caller = frames.stream().skip(1).findFirst();
    List<CodeSites> code = targets.code(frames);
    List<CodeSites> callers =
        caller.stream().flatMap(frame -> BusyWaitSearch.of(frame, code)).toList();
    return PutsBack.most(
        BusyWaitSearch.of(site, code)
            .map(
                sites ->
                    sites.putsBack(site.method(), site.line(), caller, callers, targets::codeOf)));
  }
}
