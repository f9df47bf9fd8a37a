package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.agent.threads.BusyWaitSearch;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The shutdown hooks, which all run at the same time. The JVM ends when the last of them has ended,
 * so the agent's hook delays nothing as long as another one runs.
 */
public final class ExitHooks {
  /** The time that the others have: some systems kill a program 10 s after they asked it to end. */
  private static final long SECONDS = 5;

  /** The part of this time for which they are examined again, halfway and at its end. */
  private static final long AGAIN = 10;

  private static final long PAUSE_MILLIS = 20;

  /** The JDK's own map. The JDK drops it when the exit begins, and no longer changes it then. */
  private final Map<?, ?> hooks;

  private final LockMapReader classes;

  /**
   * A hook that waits for another thread.
   *
   * @param stack where it waits
   * @param state how it waits
   * @param nanos since when, at least
   */
  public record Standing(StackTrace stack, Thread.State state, long nanos) {}

  ExitHooks(Map<?, ?> hooks, LockMapReader classes) {
    this.hooks = hooks;
    this.classes = classes;
  }

  /**
   * Finds them, before the exit begins. The package {@code java.lang} must be open.
   *
   * @param classes reads the code that shows which loops do not end by themselves
   */
  public static ExitHooks find(LockMapReader classes) {
    try {
      return new ExitHooks(JdkInternals.shutdownHookMap(), classes);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // A JDK that keeps them elsewhere: then none is known.
      return new ExitHooks(Map.of(), classes);
    }
  }

  /**
   * Waits for the other hooks, on the thread of a hook.
   *
   * @return one that stands still, without a timeout or in a loop; empty if there is none
   */
  public Optional<Standing> awaitOthers() {
    return awaitOthers(TimeUnit.SECONDS.toNanos(SECONDS));
  }

  Optional<Standing> awaitOthers(long nanos) {
    long begin = System.nanoTime();
    Map<Thread, Set<List<StackTraceElement>>> halfway = new HashMap<>();
    try {
      while (others().findAny().isPresent()) {
        long passed = System.nanoTime() - begin;
        if (passed >= nanos) {
          Optional<Standing> found =
              halfway.entrySet().stream()
                  .flatMap(each -> standing(each.getKey(), each.getValue(), passed).stream())
                  .findFirst();
          // One that waits in a loop does something else for a moment.
          if (found.isPresent() || passed >= nanos + nanos / AGAIN) {
            return found;
          }
        }
        if (passed >= nanos / 2 && (halfway.isEmpty() || passed < nanos / 2 + nanos / AGAIN)) {
          others()
              .forEach(
                  hook ->
                      halfway
                          .computeIfAbsent(hook, same -> new HashSet<>())
                          .add(List.of(hook.getStackTrace())));
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  /** Returns the hooks that have not ended. One that has not begun yet is not alive. */
  private Stream<Thread> others() {
    return hooks.keySet().stream()
        .filter(Thread.class::isInstance)
        .map(Thread.class::cast)
        .filter(hook -> !hook.equals(Thread.currentThread()))
        .filter(hook -> hook.getState() != Thread.State.TERMINATED);
  }

  private Optional<Standing> standing(
      Thread hook, Set<List<StackTraceElement>> before, long nanos) {
    Thread.State state = hook.getState();
    List<StackTraceElement> stack = List.of(hook.getStackTrace());
    if (stack.isEmpty() || !before.contains(stack)) {
      return Optional.empty();
    }
    StackTrace frames = new StackTrace(ThreadReader.frames(stack), false);
    return isEndless(KnownWaits.of(frames, state), state)
            || (state == Thread.State.TIMED_WAITING && isInEndlessLoop(stack))
        ? Optional.of(new Standing(frames, state, nanos))
        : Optional.empty();
  }

  /** An executor that is closed waits with a timeout of a day. */
  private static boolean isEndless(Awaited awaited, Thread.State state) {
    return switch (state) {
      case WAITING, BLOCKED -> true;
      case TIMED_WAITING ->
          awaited.is(Awaited.Trait.JOIN)
              && awaited.inside().filter(frame -> frame.method().equals("close")).isPresent();
      case NEW, RUNNABLE, TERMINATED -> false;
    };
  }

  /** Returns whether it waits in a loop; that may pause in a method of its own. */
  private boolean isInEndlessLoop(List<StackTraceElement> stack) {
    List<Frame> written = LoopTargets.written(stack).stream().limit(2).toList();
    List<CodeSites> code = classes.code(Set.copyOf(written.stream().map(ExitHooks::type).toList()));
    return written.stream()
        .anyMatch(
            frame ->
                BusyWaitSearch.of(frame, code)
                    .anyMatch(
                        sites ->
                            sites.waitsInEndlessLoop(
                                frame.method(), frame.line(), name -> classes.code(Set.of(name)))));
  }

  private static String type(Frame frame) {
    return frame.type().name();
  }
}
