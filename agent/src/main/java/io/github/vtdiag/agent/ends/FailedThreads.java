package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.locksite.WaitEnd;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
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
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The exceptions by which threads and tasks have failed, and what the code that failed had ahead:
 * others may wait for that in vain.
 */
public final class FailedThreads {
  /** The number of different stacks; further ones are not kept. */
  private static final int MOST = 64;

  /** The number of frames of the application that are read, from the innermost on. */
  private static final int FRAMES = 16;

  /** The number of classes that are searched for one by one, each time. */
  private static final int SEARCHES = 100;

  /** The number of times that the longest pause between two failures has to pass. */
  private static final int GAPS = 3;

  private static final String UNSEEN =
      "which a thread may have had to end that failed before vtdiag noted failures";

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
  public record Left(String exception, String method) {}

  /**
   * One stack of an exception, which may come again and again.
   *
   * <p>{@code own} are the frames of the application on it, the innermost first, and {@code ahead}
   * is the frame that had an end of waits ahead, or empty if none had.
   */
  private static final class Failure {
    final String exception;
    final List<Frame> own;
    final Map<WaitEnd, Optional<Frame>> ahead = new HashMap<>();
    private long lastNanos;
    private long longestGapNanos;

    Failure(String exception, List<Frame> own, long atNanos) {
      this.exception = exception;
      this.own = own;
      this.lastNanos = atNanos;
    }

    void again(long atNanos) {
      longestGapNanos = Math.max(longestGapNanos, atNanos - lastNanos);
      lastNanos = atNanos;
    }

    /** Returns whether somebody runs this code again and again: the next time it may not fail. */
    boolean isTriedAgain(long nowNanos) {
      return nowNanos - lastNanos < GAPS * longestGapNanos;
    }
  }

  private final LockMapReader classes;
  private final Supplier<List<Throwable>> failed;
  private final LongSupplier nanoTime;
  private final boolean late;
  private final Map<List<Frame>, Failure> failures = new LinkedHashMap<>();

  /**
   * @param late whether threads may have failed before that was noted
   */
  public FailedThreads(LockMapReader classes, boolean late) {
    this(classes, Mounts::takeFailures, System::nanoTime, late);
  }

  /**
   * @param failed returns the exceptions that were not returned before
   * @param nanoTime the clock
   * @param late whether threads may have failed before that was noted
   */
  public FailedThreads(
      LockMapReader classes,
      Supplier<List<Throwable>> failed,
      LongSupplier nanoTime,
      boolean late) {
    this.classes = classes;
    this.failed = failed;
    this.nanoTime = nanoTime;
    this.late = late;
  }

  /** Reads the exceptions of the threads that have failed since the last call. */
  public void look() {
    for (Throwable exception : failed.get()) {
      try {
        add(exception);
      } catch (LinkageError e) {
        // A class that the exception's methods name is missing: then it is not known.
      }
    }
  }

  public boolean areNone() {
    return failures.isEmpty() && !late;
  }

  /** Returns a clause on a failure that was not seen; empty if all are. */
  public Optional<String> unseen() {
    return late ? Optional.of(UNSEEN) : Optional.empty();
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
      List<Frame> own =
          KnownLibraries.own(ThreadReader.frames(List.of(each.getStackTrace()))).stream()
              .limit(FRAMES)
              .toList();
      Failure known = failures.get(own);
      long now = nanoTime.getAsLong();
      if (known != null) {
        known.again(now);
      } else if (!own.isEmpty() && failures.size() < MOST) {
        failures.put(own, new Failure(chain.getLast().getClass().getName(), own, now));
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
  public Optional<Left> thatLeft(Awaited awaited, List<StackTraceElement> stack) {
    return awaited.isSignalOfWorkers()
        ? site(stack).flatMap(at -> thatLeft(new WaitEnd(SIGNALS, Set.of(), at)))
        : thatLeft(Enders.calls(awaited), "");
  }

  /** Returns one whose code is in the source file of the method that waits. */
  public Optional<Left> thatLeftBeside(Awaited awaited, List<StackTraceElement> stack) {
    return awaited.isSignalOfWorkers()
        ? thatLeft(awaited, stack)
        : thatLeftBeside(Enders.calls(awaited), stack);
  }

  /** Returns one whose code in the source file of the method that waits had a call ahead. */
  public Optional<Left> thatLeftBeside(Set<String> calls, List<StackTraceElement> stack) {
    return site(stack).flatMap(at -> thatLeft(calls, file(at)));
  }

  private static String file(String type) {
    return type.replaceFirst("[$].*", "");
  }

  private static Optional<String> site(List<StackTraceElement> stack) {
    return LoopTargets.written(stack).stream().findFirst().map(frame -> frame.type().name());
  }

  private Optional<Left> thatLeft(Set<String> calls, String in) {
    return calls.isEmpty() ? Optional.empty() : thatLeft(new WaitEnd(calls, Set.of(), in));
  }

  /** Returns a failure after which nobody wrote these fields. */
  public Optional<Left> thatLeft(Set<LoopTarget> fields) {
    return fields.isEmpty() ? Optional.empty() : thatLeft(new WaitEnd(Set.of(), fields, ""));
  }

  private Optional<Left> thatLeft(WaitEnd end) {
    List<Failure> unread =
        failures.values().stream().filter(failure -> !failure.ahead.containsKey(end)).toList();
    if (!unread.isEmpty()) {
      Code code = new Code(unread);
      unread.forEach(failure -> failure.ahead.put(end, find(failure, end, code)));
    }
    long now = nanoTime.getAsLong();
    return failures.values().stream()
        .filter(failure -> !failure.isTriedAgain(now))
        .flatMap(
            failure ->
                failure.ahead.get(end).stream()
                    .map(
                        frame ->
                            new Left(
                                failure.exception + " in " + failure.own.getFirst(),
                                frame.qualifiedMethod())))
        .findFirst();
  }

  /** Returns the frame that had this ahead. */
  private static Optional<Frame> find(Failure failure, WaitEnd end, Code code) {
    return failure.own.stream()
        .filter(
            frame ->
                code.of(frame.type().name()).stream()
                    .anyMatch(sites -> sites.leaves(frame.method(), frame.line(), end, code::of)))
        .findFirst();
  }

  /** The code of classes, each read once: to find a loaded class takes a look at all of them. */
  private final class Code {
    private final Map<String, List<CodeSites>> read = new HashMap<>();
    private int searches;

    /** Reads the classes of these failures together. */
    Code(List<Failure> all) {
      Set<String> names = new HashSet<>();
      all.forEach(failure -> failure.own.forEach(frame -> names.add(frame.type().name())));
      names.forEach(name -> read.put(name, new ArrayList<>()));
      classes.code(names).forEach(sites -> read.get(sites.type().name()).add(sites));
    }

    /** Returns the code of the classes of that name; none after too many searches. */
    List<CodeSites> of(String name) {
      List<CodeSites> known = read.get(name);
      if (known == null) {
        known = searches++ < SEARCHES ? classes.code(Set.of(name)) : List.of();
        read.put(name, known);
      }
      return known;
    }
  }
}
