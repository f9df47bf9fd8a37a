package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.BusyWaitSearch;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.Frame;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds a thread that still runs and may end what others wait for: further on in its code it counts
 * a latch down or completes a future, once. It is looked for seldom, because that takes stacks.
 */
public final class Enders {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The number of virtual threads whose stacks are taken. */
  private static final int MOST = 100;

  /** The calls that end a wait, by what threads wait for. */
  private static final Map<Awaited.Trait, Set<String>> CALLS =
      Map.of(
          Awaited.Trait.LATCH,
          Set.of("java/util/concurrent/CountDownLatch.countDown"),
          Awaited.Trait.COMPLETABLE,
          Set.of(
              "java/util/concurrent/CompletableFuture.complete",
              "java/util/concurrent/CompletableFuture.completeExceptionally"));

  /** The calls that put something into a queue. */
  public static final Set<String> PUTS = puts();

  /** The calls of whoever is one of the parts that a thread awaits. */
  private static final Map<Awaited.Trait, Set<String>> CALLS_OF_PARTS =
      Map.of(
          Awaited.Trait.PERMITS,
          Set.of("java/util/concurrent/Semaphore.release"),
          Awaited.Trait.EXCLUSIVE,
          Set.of(
              "java/util/concurrent/locks/ReentrantLock.unlock",
              "java/util/concurrent/locks/Lock.unlock"),
          Awaited.Trait.QUEUE,
          PUTS,
          Awaited.Trait.PARTNERS,
          Set.of(
              "java/util/concurrent/Phaser.arrive",
              "java/util/concurrent/Phaser.arriveAndDeregister",
              "java/util/concurrent/Phaser.arriveAndAwaitAdvance",
              "java/util/concurrent/CyclicBarrier.await",
              "java/util/concurrent/Exchanger.exchange"));

  /**
   * The prefixes of the names of the JDK's tasks that complete a future, by what threads wait for.
   */
  private static final Map<Awaited.Trait, Set<String>> TASKS =
      Map.of(
          Awaited.Trait.COMPLETABLE, Set.of("java.util.concurrent.CompletableFuture$Async"),
          Awaited.Trait.FORK_JOIN, Set.of("java.util.concurrent.ForkJoinTask"));

  /** The same of those after which an executor may run the task. */
  private static final Map<Awaited.Trait, Set<String>> TASKS_OF_PARTS =
      Map.of(
          Awaited.Trait.TASK,
          Set.of("java.util.concurrent.FutureTask", "java.util.concurrent.ThreadPoolExecutor"));

  /** Returns the calls that end such waits; none if it is not known. */
  static Set<String> calls(Awaited awaited) {
    return awaited.traits().stream()
        .filter(trait -> trait != Awaited.Trait.QUEUE && trait != Awaited.Trait.EXCLUSIVE)
        .flatMap(
            trait ->
                Stream.of(CALLS, CALLS_OF_PARTS)
                    .flatMap(all -> all.getOrDefault(trait, Set.of()).stream()))
        .collect(Collectors.toSet());
  }

  /** Returns the calls that change the content of such an atomic variable. */
  static Stream<String> changes(String atomic) {
    return Stream.of(
            "set",
            "lazySet",
            "getAndSet",
            "compareAndSet",
            "incrementAndGet",
            "decrementAndGet",
            "getAndIncrement",
            "getAndDecrement",
            "addAndGet",
            "getAndAdd",
            "updateAndGet",
            "getAndUpdate",
            "accumulateAndGet",
            "getAndAccumulate")
        .map(call -> "java/util/concurrent/atomic/" + atomic + "." + call);
  }

  private static Set<String> puts() {
    Set<String> puts = new HashSet<>();
    for (String queue :
        List.of(
            "BlockingQueue",
            "BlockingDeque",
            "LinkedBlockingQueue",
            "LinkedBlockingDeque",
            "ArrayBlockingQueue",
            "PriorityBlockingQueue",
            "SynchronousQueue",
            "LinkedTransferQueue",
            "TransferQueue")) {
      for (String put : List.of("put", "offer", "add", "transfer", "putFirst", "addFirst")) {
        puts.add("java/util/concurrent/" + queue + "." + put);
      }
    }
    return puts;
  }

  /** A wait, with the method whose threads wait themselves; empty if it is none. */
  private record Asked(Awaited.Trait trait, String except) {}

  private record Found(long atNanos, Optional<String> method) {}

  private final LockMapReader classes;
  private final Supplier<List<Thread>> platform;
  private final boolean ofParts;
  private final Map<Awaited.Trait, Set<String>> calls = new HashMap<>(CALLS);
  private final Map<Awaited.Trait, Set<String>> tasks = new HashMap<>(TASKS);
  private final Map<Asked, Found> found = new HashMap<>();

  /**
   * @param platform returns the platform threads
   * @param ofParts whether a thread awaits the parts of its work: one of them may wait for another
   *     thread, such as a worker, or end its part in each round of a loop
   */
  public Enders(LockMapReader classes, Supplier<List<Thread>> platform, boolean ofParts) {
    this.classes = classes;
    this.platform = platform;
    this.ofParts = ofParts;
    if (ofParts) {
      calls.putAll(CALLS_OF_PARTS);
      tasks.putAll(TASKS_OF_PARTS);
    }
  }

  /**
   * Returns the method of a thread that may end such waits; empty if none is seen.
   *
   * @param threads calls back for each virtual thread
   */
  public Optional<String> find(Awaited awaited, Consumer<Consumer<Thread>> threads) {
    return awaited.traits().stream()
        .filter(trait -> calls.containsKey(trait) || tasks.containsKey(trait))
        .findFirst()
        .flatMap(trait -> find(trait, "", threads));
  }

  /**
   * The same of waits with this trait.
   *
   * @param except the method whose threads wait themselves; empty if it is unknown
   */
  public Optional<String> find(
      Awaited.Trait awaited, String except, Consumer<Consumer<Thread>> threads) {
    long now = System.nanoTime();
    Asked asked = new Asked(awaited, except);
    Found known = found.get(asked);
    if (known == null || now - known.atNanos >= PERIOD_NANOS) {
      known = new Found(now, look(asked, threads));
      found.put(asked, known);
    }
    return known.method;
  }

  private Optional<String> look(Asked asked, Consumer<Consumer<Thread>> threads) {
    return all(threads).stream().flatMap(thread -> method(thread, asked).stream()).findFirst();
  }

  private List<Thread> all(Consumer<Consumer<Thread>> threads) {
    List<Thread> all = new ArrayList<>();
    threads.accept(
        thread -> {
          if (all.size() < MOST) {
            all.add(thread);
          }
        });
    all.addAll(platform.get());
    return all;
  }

  /**
   * Returns whether a thread comes to one of these calls.
   *
   * @param except the method whose threads wait themselves
   */
  boolean comes(Set<String> to, String except, Consumer<Consumer<Thread>> threads) {
    return all(threads).stream()
        .filter(thread -> thread.getState() != Thread.State.BLOCKED)
        .map(thread -> LoopTargets.written(List.of(thread.getStackTrace())))
        .filter(written -> written.stream().noneMatch(at -> at.qualifiedMethod().equals(except)))
        .anyMatch(written -> !written.isEmpty() && comesTo(written, to).isPresent());
  }

  /**
   * Returns whether a thread is in a method that writes one of these.
   *
   * @param except the method whose threads wait themselves
   */
  public boolean writes(
      String except, Set<LoopTarget> targets, Consumer<Consumer<Thread>> threads) {
    return all(threads).stream()
        .map(thread -> LoopTargets.written(List.of(thread.getStackTrace())))
        .filter(written -> written.stream().noneMatch(at -> at.qualifiedMethod().equals(except)))
        .anyMatch(written -> writes(written, targets));
  }

  private boolean writes(List<Frame> written, Set<LoopTarget> targets) {
    Set<String> names = new HashSet<>();
    written.forEach(frame -> names.add(frame.type().name()));
    List<CodeSites> code = names.isEmpty() ? List.of() : classes.code(names);
    return written.stream()
        .anyMatch(
            frame ->
                BusyWaitSearch.of(frame, code)
                    .anyMatch(sites -> sites.writes(frame.method(), targets)));
  }

  private Optional<String> method(Thread thread, Asked asked) {
    Awaited.Trait awaited = asked.trait;
    Thread.State state = thread.getState();
    List<Frame> frames =
        state == Thread.State.BLOCKED
            ? List.of()
            : ThreadReader.frames(List.of(thread.getStackTrace()));
    List<Frame> written = frames.stream().filter(frame -> frame.type().isWritten()).toList();
    if (written.isEmpty()
        || written.stream().anyMatch(frame -> frame.qualifiedMethod().equals(asked.except))
        || (state == Thread.State.WAITING && !mayGoOn(frames, awaited))) {
      return Optional.empty();
    }
    Set<String> types = tasks.getOrDefault(awaited, Set.of());
    List<Frame> task =
        frames.stream()
            .takeWhile(frame -> types.stream().noneMatch(frame.type().name()::startsWith))
            .toList();
    return task.size() < frames.size()
        ? task.stream()
            .filter(frame -> frame.type().isWritten())
            .reduce((inner, outer) -> outer)
            .map(Frame::qualifiedMethod)
        : comesTo(written, calls.getOrDefault(awaited, Set.of())).map(Frame::qualifiedMethod);
  }

  /** Returns whether a waiting thread may go on before those that wait for such an end. */
  private boolean mayGoOn(List<Frame> frames, Awaited.Trait end) {
    Awaited awaited = KnownWaits.of(new StackTrace(frames, false), Thread.State.WAITING);
    boolean forTheSame =
        (end == Awaited.Trait.TASK || end == Awaited.Trait.PARTNERS) && awaited.is(end);
    return ofParts ? !forTheSame : isForOutside(awaited);
  }

  private static boolean isForOutside(Awaited awaited) {
    return switch (awaited.kind().endedBy()) {
      case DATA, ANSWER, TIME -> true;
      case OTHER_THREAD, SIGNAL, UNKNOWN, WORK -> false;
    };
  }

  private boolean comesTo(CodeSites sites, Frame frame, Set<String> calls) {
    return sites.comesTo(frame.method(), frame.line(), calls)
        || (ofParts && sites.comesBackTo(frame.method(), frame.line(), calls));
  }

  /** Returns the frame in which one of these calls is ahead of a thread that does not loop back. */
  private Optional<Frame> comesTo(List<Frame> written, Set<String> calls) {
    Set<String> names = new HashSet<>();
    written.forEach(frame -> names.add(frame.type().name()));
    List<CodeSites> code = classes.code(names);
    for (int i = written.size() - 1; i >= 0; i--) {
      Frame frame = written.get(i);
      List<CodeSites> same = BusyWaitSearch.of(frame, code).toList();
      if (same.stream().anyMatch(sites -> comesTo(sites, frame, calls))) {
        return Optional.of(frame);
      }
      boolean loops = same.stream().anyMatch(sites -> sites.isInLoop(frame.method(), frame.line()));
      if (loops && !ofParts) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }
}
