package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.ChildProcesses;
import io.github.vtdiag.agent.ends.FailedThreads;
import io.github.vtdiag.agent.ends.JoinedThreads;
import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.QueueLoans;
import io.github.vtdiag.agent.ends.RingBuffers;
import io.github.vtdiag.agent.ends.ShutdownHooks;
import io.github.vtdiag.agent.ends.Timeouts;
import io.github.vtdiag.agent.ends.UnansweredReads;
import io.github.vtdiag.agent.ends.WaitGroup;
import io.github.vtdiag.agent.servers.ServerEnds;
import io.github.vtdiag.agent.threads.Later;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.locksite.PutsBack;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * The waits that have lasted, as they are recorded: those of {@link LongWaits}, the loops that only
 * wait, and what is known of connections to this JVM itself.
 */
final class LastingWaits {
  /**
   * The shortest wait of which more is read than its stack, such as the code around it: as long as
   * one that may stand still in a short recording.
   */
  private static final long READING_NANOS = LongWait.SHORTEST_AT_END_NANOS;

  /**
   * The number of threads taking from one queue that makes them a pool without work so far: few
   * threads wait at one place for an answer to a request.
   */
  private static final int POOL = 128;

  /** The calls of those who accept one connection, and no more. A server of one may last. */
  private static final Set<String> CLOSE =
      Set.of(
          "java/net/ServerSocket.close",
          "java/nio/channels/ServerSocketChannel.close",
          "java/nio/channels/spi/AbstractInterruptibleChannel.close");

  private final ToIntFunction<List<StackTraceElement>> number;
  private final WaitLoops loops;
  private final LoopTargets targets;
  private final WaitEndSearch ends;
  private final UnansweredReads unanswered;
  private final RingBuffers rings = new RingBuffers();
  private final JoinedThreads joined = new JoinedThreads();
  private final ServerEnds servers;
  private final LoopsBack looping;
  private final QueueLoans loans;

  private final Later<ShutdownHooks> hooks = new Later<>(ShutdownHooks::new);
  private final Later<Timeouts> timeouts = new Later<>(Timeouts::new);
  private final Later<ChildProcesses> processes = new Later<>(ChildProcesses::new);

  private final OncePerStack failing = new OncePerStack(this::mayFail);
  private final OncePerStack reads =
      new OncePerStack(stack -> awaited(stack, Thread.State.WAITING).kind() == Awaited.Kind.DATA);

  /**
   * @param classes reads the code that shows which loops only wait
   * @param failures tells which threads have failed
   * @param number returns the number of a stack, and records a new stack
   */
  LastingWaits(
      Instrumentation instrumentation,
      LockMapReader classes,
      FailedThreads failures,
      ToIntFunction<List<StackTraceElement>> number) {
    this.targets = new LoopTargets(classes);
    this.servers = ServerEnds.ofThisJvm(targets, instrumentation);
    this.looping = new LoopsBack(targets);
    this.loans = new QueueLoans(targets);
    this.loops = new WaitLoops(targets::areInOneLoop);
    this.number = number;
    this.ends = new WaitEndSearch(classes, targets, failures, timeouts);
    this.unanswered = new UnansweredReads(instrumentation, looping::awaitsAnswerOfServer);
  }

  /**
   * Begins a sample.
   *
   * @param elapsedNanos the time since the last one, without the time in which the JVM was stopped
   */
  void begin(long elapsedNanos) {
    loops.begin(elapsedNanos);
  }

  /**
   * Records that a thread without a carrier is there.
   *
   * @param ran whether it has run since it was last seen
   */
  void seen(Thread thread, Thread.State state, List<StackTraceElement> stack, boolean ran) {
    if (ran) {
      loops.seen(thread, state, stack);
    }
  }

  /** Returns whether a thread may be in a loop that only waits. */
  boolean isInLoop(Thread thread) {
    return loops.follows(thread);
  }

  /** Records where a thread runs that may be in a loop. */
  void runs(Thread thread, List<StackTraceElement> stack) {
    loops.runs(thread, stack);
  }

  /**
   * Returns all waits that have lasted at this sample.
   *
   * @param threads calls back for each virtual thread
   */
  List<LongWait> of(LongWaits waits, long look, Consumer<Consumer<Thread>> threads) {
    List<WaitGroup> groups =
        waits.groups().stream().map(group -> timeouts.get().withoutEndless(group)).toList();
    Set<Thread> inVain = awaitedInVain(groups, waits.joins());
    Set<Thread> atOpenPools =
        waits.joins().stream()
            .filter(join -> join.isOpen() && inVain.containsAll(join.awaited()))
            .map(Doers.Join::waiting)
            .collect(Collectors.toSet());
    List<LongWait> all = new ArrayList<>();
    Set<List<StackTraceElement>> told = new HashSet<>();
    for (WaitLoops.Loop loop : loops.loops()) {
      boolean room = RingBuffers.isFor(loop.stack());
      WaitDetail until = room ? WaitDetail.NONE : ends.until(loop, threads);
      long nanos = room ? Math.min(loop.nanos(), rings.stood(groups)) : loop.nanos();
      if (until.isKnown() && ends.mayBeServed(loop, threads)) {
        continue;
      }
      if (until.isKnown() || (room && nanos >= LongWait.SHORTEST_NANOS)) {
        told.add(loop.stack());
        all.add(
            new LongWait(
                look,
                number.applyAsInt(targets.ofLoop(loop.stack())),
                loop.state(),
                "",
                0,
                loop.threads(),
                // These are woken again and again, as threads are that are about to go on.
                loop.signalled() ? loop.threads() : 0,
                nanos,
                room,
                LongWait.Wakers.NONE,
                until));
      }
    }
    List<WaitGroup> reading = groups.stream().filter(this::reads).toList();
    Map<Thread, WaitDetail> connections = unanswered.of(reading);
    for (WaitGroup group : groups) {
      if ((group.repeated() && told.contains(WaitLoops.fromPause(group.stack())))
          || RingBuffers.isFor(group.stack())
          || isForTheEnd(group, threads)) {
        continue;
      }
      List<WaitDetail> unheard =
          reading.contains(group)
              ? group.members().stream().map(connections::get).filter(Objects::nonNull).toList()
              : List.of();
      unheard.stream()
          .collect(Collectors.groupingBy(WaitDetail::kind))
          .values()
          .forEach(alike -> all.add(longWait(group, look, alike.size(), alike.getFirst())));
      if (unheard.size() < group.threads()
          && (!group.repeated()
              || failing.test(group.stack())
              || loans.putsBack(group.stack(), awaited(group.stack(), group.state()))
                  == PutsBack.ALWAYS)) {
        WaitDetail notForWork =
            group.members().stream().anyMatch(atOpenPools::contains)
                ? WaitDetail.of(WaitDetail.Kind.OPEN_POOL)
                : Doers.areOfThemselves(waits.joins(), group.members())
                    ? WaitDetail.of(WaitDetail.Kind.ITSELF)
                    : notForWork(group, inVain);
        all.add(
            longWait(
                group,
                look,
                group.threads() - unheard.size(),
                notForWork.isKnown() ? notForWork : ends.ender(group, waits, threads)));
      }
    }
    return all;
  }

  /**
   * Returns whether they wait for the end of the program, or of something that goes on: for what a
   * shutdown hook ends, for a server, for platform threads that serve, or for another process.
   */
  private boolean isForTheEnd(WaitGroup group, Consumer<Consumer<Thread>> threads) {
    if (group.longestNanos() < READING_NANOS || group.repeated()) {
      return false;
    }
    Awaited awaited = awaited(group.stack(), group.state());
    return group.members().stream()
            .map(LockSupport::getBlocker)
            .allMatch(
                blocker ->
                    hasGoneOn(group, blocker)
                        || hooks.get().end(blocker)
                        || processes.get().end(awaited, blocker))
        || (awaited.is(Awaited.Trait.LASTING) && ends.areFed(group))
        || (JoinedThreads.isJoin(group.stack()) && joined.serve())
        || servers.end(group, threads);
  }

  /** Returns whether a thread was woken since it was looked at, as by a hook of the exit. */
  private static boolean hasGoneOn(WaitGroup group, Object blocker) {
    return blocker == null && !group.lockClass().isEmpty();
  }

  private LongWait longWait(WaitGroup group, long look, int threads, WaitDetail detail) {
    return new LongWait(
        look,
        number.applyAsInt(group.stack()),
        group.state(),
        group.lockClass(),
        group.lockIdentity(),
        threads,
        // One that never had work is as idle as one that comes back.
        looping.areServices(group.stack()) ? threads : group.returned(),
        group.longestNanos(),
        group.repeated(),
        group.wakers(),
        detail);
  }

  /**
   * Returns what distinguishes them from workers, which come back to the same queue or connection;
   * none if nothing does.
   */
  private WaitDetail notForWork(WaitGroup group, Set<Thread> inVain) {
    if (group.longestNanos() < READING_NANOS) {
      return WaitDetail.NONE;
    }
    Awaited awaited = awaited(group.stack(), group.state());
    PutsBack puts = loans.putsBack(group.stack(), awaited);
    // A pool from which nobody ever got anything may not be filled yet.
    boolean used = group.returned() > 0 || group.wakers() != LongWait.Wakers.NONE;
    if (puts == PutsBack.ALWAYS && used) {
      return WaitDetail.of(WaitDetail.Kind.POOLED);
    }
    if (puts != PutsBack.NEVER && isServedByNobody(group.wakers())) {
      return WaitDetail.of(WaitDetail.Kind.PARTLY_POOLED);
    }
    if (group.repeated()) {
      return looping.awaitsAnswerForEver(group.stack())
          ? WaitDetail.of(WaitDetail.Kind.UNTIL_ANSWER)
          : WaitDetail.NONE;
    }
    if (group.members().stream().anyMatch(inVain::contains)) {
      return WaitDetail.of(WaitDetail.Kind.JOINED);
    }
    if (group.members().stream()
        .anyMatch(thread -> processes.get().isExit(awaited, LockSupport.getBlocker(thread)))) {
      return WaitDetail.of(WaitDetail.Kind.CHILD);
    }
    if (group.state() == Thread.State.WAITING
        && (looping.awaitsReply(group.stack())
            || (haveOwn(group) && looping.awaitsListener(group.stack())))) {
      return WaitDetail.of(WaitDetail.Kind.REPLIES);
    }
    if (!awaited.mayBeAskedFor(group.state())) {
      return WaitDetail.NONE;
    }
    if (group.renewed()) {
      return WaitDetail.of(WaitDetail.Kind.RENEWED);
    }
    boolean fromConnection = awaited.kind() == Awaited.Kind.DATA;
    boolean fromQueue =
        group.lockIdentity() != 0 && group.threads() > 1 && isServedByNobody(group.wakers());
    if ((fromConnection || fromQueue)
        && (looping.asks(group.stack())
            || (fromConnection && looping.isOfDatabase(group.stack())))) {
      return WaitDetail.of(fromConnection ? WaitDetail.Kind.READ_ANSWERS : WaitDetail.Kind.ANSWERS);
    }
    if (group.lockIdentity() != 0 && group.threads() >= POOL) {
      return WaitDetail.NONE;
    }
    if (looping.awaitsAnswer(group.stack())) {
      return WaitDetail.of(WaitDetail.Kind.UNTIL_ANSWER);
    }
    return looping.neverLead(group.stack())
            && (!awaited.is(Awaited.Trait.CONNECTIONS) || targets.comesTo(group.stack(), CLOSE))
        ? WaitDetail.of(WaitDetail.Kind.NO_LOOP)
        : WaitDetail.NONE;
  }

  /** Workers have a queue in common, while clients that ask have one each. */
  private static boolean haveOwn(WaitGroup group) {
    Set<Object> blockers = Collections.newSetFromMap(new IdentityHashMap<>());
    return group.members().stream()
        .map(LockSupport::getBlocker)
        .allMatch(blocker -> blocker != null && blockers.add(blocker));
  }

  /**
   * Returns the threads whose end others await, by joining or closing them or in another way. All
   * of these threads take from queues that no living thread feeds, or have nothing to do in a pool
   * that nobody has shut down.
   */
  private static Set<Thread> awaitedInVain(List<WaitGroup> groups, List<Doers.Join> joins) {
    Set<Thread> unserved = new HashSet<>();
    Set<Thread> workers = new HashSet<>();
    for (WaitGroup group : joins.isEmpty() ? List.<WaitGroup>of() : groups) {
      Awaited awaited = awaited(group.stack(), group.state());
      if (awaited.isQueue()
          && (group.wakers() == LongWait.Wakers.NONE || group.wakers() == LongWait.Wakers.ENDED)) {
        unserved.addAll(group.members());
      }
      if (awaited.is(Awaited.Trait.POOL_WORK) && isServedByNobody(group.wakers())) {
        workers.addAll(group.members());
      }
    }
    Set<Thread> inVain = new HashSet<>();
    for (Doers.Join join : joins) {
      if ((join.isOpen() ? workers : unserved).containsAll(join.awaited())) {
        inVain.addAll(join.awaited());
      }
    }
    return inVain;
  }

  /**
   * Returns whether no thread that lives is known to have woken any of them, other than such as
   * they.
   */
  private static boolean isServedByNobody(LongWait.Wakers wakers) {
    return switch (wakers) {
      case NONE, SELDOM, ENDED -> true;
      case NOT_KNOWN, OTHERS, FAILED, FAILED_SOON, ANSWERED, EACH_OTHER, MORE_CAME -> false;
    };
  }

  /** Returns whether a thread that waits there puts back what it gets from a queue. */
  boolean isLent(List<StackTraceElement> stack) {
    return loans.putsBack(stack, awaited(stack, Thread.State.WAITING)) == PutsBack.ALWAYS;
  }

  private boolean reads(WaitGroup group) {
    return group.state() == Thread.State.WAITING
        && group.longestNanos() >= READING_NANOS
        && reads.test(group.stack());
  }

  /** Returns whether a thread that times out there again and again may be stalled. */
  private boolean mayFail(List<StackTraceElement> stack) {
    Awaited awaited = awaited(stack, Thread.State.TIMED_WAITING);
    return (awaited.mayFail() || looping.awaitsAnswerForEver(stack))
        && (awaited.kind() != Awaited.Kind.SIGNAL || !targets.worksInBetween(stack));
  }

  static Awaited awaited(List<StackTraceElement> stack, Thread.State state) {
    return KnownWaits.of(new StackTrace(ThreadReader.frames(stack), false), state);
  }
}
