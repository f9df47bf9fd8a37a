package io.github.vtdiag.agent.threads;

import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.Frame;
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

/**
 * Finds a thread that still runs and may end what others wait for: further on in its code it counts
 * a latch down or completes a future, once. It is looked for seldom, because that takes stacks.
 */
final class Enders {
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

  /**
   * The prefix of the names of the JDK's tasks that complete a future, by what threads wait for.
   */
  private static final Map<Awaited.Trait, String> TASKS =
      Map.of(
          Awaited.Trait.COMPLETABLE, "java.util.concurrent.CompletableFuture$Async",
          Awaited.Trait.FORK_JOIN, "java.util.concurrent.ForkJoinTask");

  private record Found(long atNanos, Optional<String> method) {}

  private final LockMapReader classes;
  private final Supplier<List<Thread>> platform;
  private final boolean idleToo;
  private final Map<Awaited.Trait, Found> found = new HashMap<>();

  /**
   * @param platform returns the platform threads
   * @param idleToo whether it may be a thread that waits for another one, such as a worker
   */
  Enders(LockMapReader classes, Supplier<List<Thread>> platform, boolean idleToo) {
    this.classes = classes;
    this.platform = platform;
    this.idleToo = idleToo;
  }

  /**
   * Returns the method of a thread that may end such waits; empty if none is seen.
   *
   * @param threads calls back for each virtual thread
   */
  Optional<String> find(Awaited awaited, Consumer<Consumer<Thread>> threads) {
    return awaited.traits().stream()
        .filter(trait -> CALLS.containsKey(trait) || TASKS.containsKey(trait))
        .findFirst()
        .flatMap(trait -> find(trait, threads));
  }

  private Optional<String> find(Awaited.Trait awaited, Consumer<Consumer<Thread>> threads) {
    long now = System.nanoTime();
    Found known = found.get(awaited);
    if (known == null || now - known.atNanos >= PERIOD_NANOS) {
      known = new Found(now, look(awaited, threads));
      found.put(awaited, known);
    }
    return known.method;
  }

  private Optional<String> look(Awaited.Trait awaited, Consumer<Consumer<Thread>> threads) {
    List<Thread> all = new ArrayList<>();
    threads.accept(
        thread -> {
          if (all.size() < MOST) {
            all.add(thread);
          }
        });
    all.addAll(platform.get());
    return all.stream().flatMap(thread -> method(thread, awaited).stream()).findFirst();
  }

  private Optional<String> method(Thread thread, Awaited.Trait awaited) {
    Thread.State state = thread.getState();
    List<Frame> frames =
        state == Thread.State.BLOCKED
            ? List.of()
            : ThreadReader.frames(List.of(thread.getStackTrace()));
    List<Frame> written = frames.stream().filter(frame -> frame.type().isWritten()).toList();
    if (written.isEmpty() || (state == Thread.State.WAITING && !idleToo && !isForOutside(frames))) {
      return Optional.empty();
    }
    String type = TASKS.getOrDefault(awaited, "");
    List<Frame> task =
        frames.stream()
            .takeWhile(frame -> type.isEmpty() || !frame.type().name().startsWith(type))
            .toList();
    return task.size() < frames.size()
        ? task.stream()
            .filter(frame -> frame.type().isWritten())
            .reduce((inner, outer) -> outer)
            .map(Frame::qualifiedMethod)
        : comesTo(written, CALLS.getOrDefault(awaited, Set.of())).map(Frame::qualifiedMethod);
  }

  private static boolean isForOutside(List<Frame> frames) {
    Awaited awaited = KnownWaits.of(new StackTrace(frames, false), Thread.State.WAITING);
    return switch (awaited.kind().endedBy()) {
      case DATA, ANSWER, TIME -> true;
      case OTHER_THREAD, SIGNAL, UNKNOWN, WORK -> false;
    };
  }

  /** Returns the frame in which one of these calls is ahead of a thread that does not loop back. */
  private Optional<Frame> comesTo(List<Frame> written, Set<String> calls) {
    Set<String> names = new HashSet<>();
    written.forEach(frame -> names.add(frame.type().name()));
    List<CodeSites> code = classes.code(names);
    for (int i = written.size() - 1; i >= 0; i--) {
      Frame frame = written.get(i);
      List<CodeSites> same = BusyWaitSearch.of(frame, code).toList();
      if (same.stream().anyMatch(sites -> sites.comesTo(frame.method(), frame.line(), calls))) {
        return Optional.of(frame);
      }
      if (same.stream().anyMatch(sites -> sites.isInLoop(frame.method(), frame.line()))) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }
}
