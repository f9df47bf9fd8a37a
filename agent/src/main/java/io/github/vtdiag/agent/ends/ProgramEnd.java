package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.BusyWaitSearch;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells platform threads that wait for a part of the program's work from those that wait for its
 * end, and keep it alive until then.
 */
public final class ProgramEnd {
  /** The number of virtual threads whose stacks are taken. */
  private static final int MOST = 100;

  private static final String AGENT = "io.github.vtdiag.";
  private static final String JFR = "jdk.jfr.";

  /** The methods from which a thread of an executor runs its tasks. */
  private static final Set<String> EXECUTORS =
      Set.of(
          "java.util.concurrent.ThreadPoolExecutor.runWorker",
          "java.util.concurrent.ForkJoinWorkerThread.run");

  /** The methods in which such a thread waits for a task. */
  private static final Set<String> IDLE_WORKERS =
      Set.of(
          "java.util.concurrent.ThreadPoolExecutor.getTask",
          "java.util.concurrent.ForkJoinPool.awaitWork");

  /** The queue of tasks that are due later. */
  private static final String DELAYED =
      "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue";

  /** The things that threads in a loop of this method wait for. */
  private record Change(String method, Set<LoopTarget> targets) {}

  private final LoopTargets classes;
  private final Enders enders;
  private final Supplier<List<Thread>> platform;
  private final Consumer<Consumer<Thread>> virtual;
  private final Seldom<Boolean> accepts = new Seldom<>(this::findAcceptor);
  private final Map<Change, Seldom<Boolean>> changes = new HashMap<>();
  private final Map<Map.Entry<String, Set<String>>, Seldom<Boolean>> called = new HashMap<>();
  private final Map<String, Seldom<Boolean>> running = new HashMap<>();
  private final Seldom<Set<Thread>> active = new Seldom<>(this::findActive);

  /**
   * @param platform returns the platform threads
   * @param virtual calls back for each virtual thread
   */
  public ProgramEnd(
      LockMapReader classes, Supplier<List<Thread>> platform, Consumer<Consumer<Thread>> virtual) {
    this.classes = new LoopTargets(classes);
    this.enders = new Enders(classes, platform, true);
    this.platform = platform;
    this.virtual = virtual;
  }

  /**
   * Returns whether a thread may keep the program alive. One of an executor or a daemon does not.
   */
  public static boolean mayKeepAlive(Thread thread, List<StackTraceElement> stack) {
    return !thread.isDaemon() && !isOfPool(stack);
  }

  /** Returns whether an executor, or a thread of a known library, runs that code as a task. */
  public static boolean isOfPool(List<StackTraceElement> stack) {
    return stack.stream()
            .map(frame -> frame.getClassName() + "." + frame.getMethodName())
            .anyMatch(EXECUTORS::contains)
        || isOfLibrary(stack);
  }

  /**
   * Returns whether a known library's class is what the thread runs, and calls the application.
   * Launchers of libraries call it from their main method.
   */
  private static boolean isOfLibrary(List<StackTraceElement> stack) {
    List<Frame> written = LoopTargets.written(stack);
    return !written.isEmpty()
        && written.getLast().method().equals("run")
        && KnownLibraries.has(written.getLast().type().name())
        && written.stream().anyMatch(frame -> !KnownLibraries.has(frame.type().name()));
  }

  /** Returns whether threads with this stack await the parts of what their method has begun. */
  public boolean isForParts(List<StackTraceElement> stack) {
    return isSite(stack, (sites, site) -> sites.awaitsParts(site.method(), site.line()));
  }

  /** Returns whether threads with this stack wait for the results of tasks of their method. */
  public boolean isForResults(List<StackTraceElement> stack) {
    return isSite(stack, (sites, site) -> sites.awaitsResults(site.method(), site.line()));
  }

  private boolean isSite(List<StackTraceElement> stack, BiPredicate<CodeSites, Frame> isSo) {
    Optional<Frame> site = LoopTargets.written(stack).stream().findFirst();
    return site.isPresent()
        && BusyWaitSearch.of(site.get(), classes.code(List.of(site.get())))
            .anyMatch(sites -> isSo.test(sites, site.get()));
  }

  /**
   * Returns whether parts of work may still come: a thread that lives has it ahead to end such a
   * wait, or the program is a server, whose parts last as long as it does.
   */
  public boolean mayCome(Awaited awaited) {
    return isOfServer() || mayBeDone(awaited);
  }

  /** Returns whether a thread that lives has it ahead to end such a wait. */
  public boolean mayBeDone(Awaited awaited) {
    return enders.find(awaited, virtual).isPresent();
  }

  /**
   * Returns whether a thread that lives may do what a loop waits for, as far as its code tells.
   *
   * @param method the method with the loop, whose threads do not
   */
  public boolean mayChange(String method, Set<LoopTarget> targets) {
    return changes
        .computeIfAbsent(new Change(method, targets), same -> new Seldom<>(() -> mayCome(same)))
        .get();
  }

  private boolean mayCome(Change change) {
    return change.targets.stream().anyMatch(target -> mayBeMade(target, change.method))
        || enders.writes(change.method, change.targets, virtual);
  }

  /**
   * Returns the fields for whose change such a thread waits in a loop, if no thread that lives may
   * change them; none if one may, or if the program is a server, whose main thread waits so.
   */
  public Set<LoopTarget> awaitedInVain(List<StackTraceElement> stack) {
    LoopTargets.Ends ends = classes.ends(stack);
    return ends.fields().isEmpty() || isOfServer() || mayChange(ends.method(), ends.fields())
        ? Set.of()
        : ends.fields();
  }

  /**
   * Returns whether a thread that lives comes to one of these calls.
   *
   * @param method the method with the loop that waits for it
   */
  public boolean mayCall(String method, Set<String> calls) {
    return called
        .computeIfAbsent(
            Map.entry(method, calls),
            same -> new Seldom<>(() -> enders.comes(calls, method, virtual)))
        .get();
  }

  /** Returns whether a thread may end such a wait by a call; of a field only writes tell. */
  private boolean mayBeMade(LoopTarget target, String except) {
    if (target.kind() == LoopTarget.Kind.FIELD) {
      return false;
    }
    Set<Awaited.Trait> ends = LoopTargets.ends(target);
    return ends.isEmpty()
        || ends.stream().anyMatch(end -> enders.find(end, except, virtual).isPresent());
  }

  /** Returns whether a thread that lives does the same as one that has failed. */
  public boolean runs(FailedThreads.Left left) {
    return running
        .computeIfAbsent(left.method(), method -> new Seldom<>(() -> isRunning(method)))
        .get();
  }

  private boolean isRunning(String method) {
    return some().stream()
        .flatMap(thread -> LoopTargets.written(List.of(thread.getStackTrace())).stream())
        .anyMatch(frame -> frame.qualifiedMethod().equals(method));
  }

  /** Returns the platform threads and some of the virtual ones. */
  private List<Thread> some() {
    List<Thread> threads = new ArrayList<>(platform.get());
    virtual.accept(
        thread -> {
          if (threads.size() < MOST) {
            threads.add(thread);
          }
        });
    return threads;
  }

  /** Returns whether the program accepts connections: it lasts until somebody ends it. */
  public boolean isOfServer() {
    return accepts.get();
  }

  private boolean findAcceptor() {
    return some().stream().anyMatch(thread -> accepts(List.of(thread.getStackTrace())));
  }

  private static boolean accepts(List<StackTraceElement> stack) {
    List<Frame> frames = ThreadReader.frames(stack);
    return stack.stream()
            .anyMatch(
                frame ->
                    frame.getMethodName().equals("accept")
                        && frame.getClassName().contains("ServerSocket"))
        || (KnownWaits.of(new StackTrace(frames, false), Thread.State.RUNNABLE)
                .is(Awaited.Trait.SELECTOR)
            // A client waits for answers.
            && stack.stream().noneMatch(frame -> frame.getClassName().contains("HttpClient")));
  }

  /**
   * Returns whether nothing goes on but that these threads wait: nobody could ever end that but
   * whoever ends the program.
   *
   * @param alive the number of virtual threads
   */
  public boolean isAllThatGoesOn(Set<Thread> waiting, long alive) {
    return alive == 0 && waiting.containsAll(active.get());
  }

  /** Returns the threads that run, or go on after some time; not those of the JVM. */
  private Set<Thread> findActive() {
    Set<Thread> found = new HashSet<>();
    for (Thread thread : platform.get()) {
      if (isOfJvm(thread)) {
        continue;
      }
      switch (thread.getState()) {
        case RUNNABLE, TIMED_WAITING, BLOCKED -> {
          List<StackTraceElement> stack = List.of(thread.getStackTrace());
          if (!stack.isEmpty()
              && stack.stream().noneMatch(ProgramEnd::isOfRecorder)
              && !isIdleWorker(stack)) {
            found.add(thread);
          }
        }
        case NEW, WAITING, TERMINATED -> {
          // goes on only if another one does
        }
      }
    }
    return found;
  }

  /**
   * Returns whether a worker of a pool waits for a task, or for the time after which it ends. The
   * pool of a scheduled task goes on when that is due.
   */
  private static boolean isIdleWorker(List<StackTraceElement> stack) {
    List<String> methods =
        stack.stream().map(frame -> frame.getClassName() + "." + frame.getMethodName()).toList();
    return methods.stream().anyMatch(IDLE_WORKERS::contains)
        && stack.stream().noneMatch(frame -> frame.getClassName().equals(DELAYED));
  }

  private static boolean isOfJvm(Thread thread) {
    String type = thread.getClass().getName();
    return type.startsWith("jdk.internal.") || type.startsWith("java.lang.ref.");
  }

  private static boolean isOfRecorder(StackTraceElement frame) {
    return frame.getClassName().startsWith(AGENT) || frame.getClassName().startsWith(JFR);
  }
}
