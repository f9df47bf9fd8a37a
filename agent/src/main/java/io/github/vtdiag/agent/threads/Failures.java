package io.github.vtdiag.agent.threads;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.locksite.WaitEnd;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.waits.Awaited;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The exceptions by which threads and tasks have failed, and what the code that failed had ahead:
 * others may wait for that in vain.
 */
final class Failures {
  /** The number of different stacks; further ones are not kept. */
  private static final int MOST = 64;

  /** The calls that wake threads which wait for a signal or a notification. */
  private static final Set<String> SIGNALS =
      Set.of(
          "java/util/concurrent/locks/Condition.signal",
          "java/util/concurrent/locks/Condition.signalAll",
          "java/lang/Object.notify",
          "java/lang/Object.notifyAll");

  /**
   * An end of waits that did not come.
   *
   * @param exception the class of the exception, and the line of the application that failed
   * @param method the method that would have ended them
   */
  record Left(String exception, String method) {}

  /** One stack of an exception, with the code of the application on it. */
  private record Failure(
      String exception, List<Frame> written, Map<WaitEnd, Optional<Frame>> ahead) {}

  private final LockMapReader classes;
  private final Supplier<List<Throwable>> failed;
  private final Map<List<Frame>, Failure> failures = new LinkedHashMap<>();

  Failures(LockMapReader classes) {
    this(classes, Mounts::takeFailures);
  }

  /**
   * @param failed returns the exceptions that were not returned before
   */
  Failures(LockMapReader classes, Supplier<List<Throwable>> failed) {
    this.classes = classes;
    this.failed = failed;
  }

  /** Reads the exceptions of the threads that have failed since the last call. */
  void look() {
    for (Throwable exception : failed.get()) {
      try {
        add(exception);
      } catch (LinkageError e) {
        // A class that the exception's methods name is missing: then it is not known.
      }
    }
  }

  /** Adds an exception and its causes, which have the frames that one that wraps them lacks. */
  private void add(Throwable exception) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable next = exception;
        next != null && chain.size() < MOST && !isOverridden(next, "getStackTrace");
        next = isOverridden(next, "getCause") ? null : next.getCause()) {
      chain.add(next);
    }
    for (Throwable each : chain) {
      List<Frame> written = LoopTargets.written(List.of(each.getStackTrace()));
      if (!written.isEmpty() && failures.size() < MOST) {
        String cause = chain.getLast().getClass().getName();
        failures.computeIfAbsent(written, same -> new Failure(cause, same, new HashMap<>()));
      }
    }
  }

  /** Returns whether it is code of the application, which the agent does not run. */
  private static boolean isOverridden(Throwable exception, String method) {
    try {
      return exception.getClass().getMethod(method).getDeclaringClass() != Throwable.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e); // every exception has it
    }
  }

  /**
   * Returns a failure that may have left such waits without an end.
   *
   * @param stack of the threads that wait
   */
  Optional<Left> thatLeft(Awaited awaited, List<StackTraceElement> stack) {
    return isForSignal(awaited)
        ? site(stack).flatMap(at -> thatLeft(new WaitEnd(SIGNALS, Set.of(), at)))
        : thatLeft(Enders.calls(awaited), "");
  }

  /** Returns one whose code is in the source file of the method that waits. */
  Optional<Left> thatLeftBeside(Awaited awaited, List<StackTraceElement> stack) {
    return isForSignal(awaited)
        ? thatLeft(awaited, stack)
        : site(stack).flatMap(at -> thatLeft(Enders.calls(awaited), at.replaceFirst("[$].*", "")));
  }

  /** Returns whether a class notifies or signals such threads in its own methods. */
  static boolean isForSignal(Awaited awaited) {
    return awaited.kind() == Awaited.Kind.SIGNAL && awaited.is(Awaited.Trait.OF_WORKERS);
  }

  private static Optional<String> site(List<StackTraceElement> stack) {
    return LoopTargets.written(stack).stream().findFirst().map(frame -> frame.type().name());
  }

  private Optional<Left> thatLeft(Set<String> calls, String in) {
    return calls.isEmpty() ? Optional.empty() : thatLeft(new WaitEnd(calls, Set.of(), in));
  }

  /** Returns a failure after which nobody wrote these fields. */
  Optional<Left> thatLeft(Set<LoopTarget> fields) {
    return fields.isEmpty() ? Optional.empty() : thatLeft(new WaitEnd(Set.of(), fields, ""));
  }

  private Optional<Left> thatLeft(WaitEnd end) {
    return failures.values().stream()
        .flatMap(
            failure ->
                failure.ahead.computeIfAbsent(end, same -> find(failure, end)).stream()
                    .map(
                        frame ->
                            new Left(
                                failure.exception + " in " + failure.written.getFirst(),
                                frame.qualifiedMethod())))
        .findFirst();
  }

  /** Returns the frame that had this ahead. */
  private Optional<Frame> find(Failure failure, WaitEnd end) {
    Set<String> names = new HashSet<>();
    failure.written.forEach(frame -> names.add(frame.type().name()));
    List<CodeSites> code = classes.code(names);
    return failure.written.stream()
        .filter(
            frame ->
                BusyWaitSearch.of(frame, code)
                    .anyMatch(sites -> sites.leaves(frame.method(), frame.line(), end, this::code)))
        .findFirst();
  }

  private List<CodeSites> code(String name) {
    return classes.code(Set.of(name));
  }
}
