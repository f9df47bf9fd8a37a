package io.github.vtdiag.hang;

import io.github.vtdiag.hang.Diagnosis.Crowd;
import io.github.vtdiag.hang.Diagnosis.Kept;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A diagnosis in words: the verdict first, then the evidence, then what ends it. Names of threads
 * are made printable here; classes and the rest are for whoever prints them.
 */
public final class DiagnosisWords {
  /** Of so many threads each is told; the rest is counted. */
  private static final int THREADS = 4;

  /** The first JDK on which a monitor no longer holds the carrier. */
  private static final int UNPINNED_MONITORS = 24;

  private final int jdk;

  /**
   * @param jdk the feature number of the JDK that ran; 0 if not known
   */
  public DiagnosisWords(int jdk) {
    this.jdk = jdk;
  }

  /** The verdict, the evidence and what ends it, a line each. */
  public List<String> lines(Diagnosis diagnosis) {
    List<String> lines = new ArrayList<>();
    lines.add(verdict(diagnosis));
    evidence(diagnosis).forEach(line -> lines.add("  " + line));
    ends(diagnosis).forEach(line -> lines.add("  " + line));
    return lines;
  }

  /** {@code deadlock: 2 threads wait for each other}. */
  public String verdict(Diagnosis diagnosis) {
    return diagnosis.kind().title(diagnosis.isSure()) + ": " + statement(diagnosis);
  }

  /** {@code 2 threads wait for each other}. */
  public String statement(Diagnosis diagnosis) {
    return switch (diagnosis) {
      case Diagnosis.LockCycle cycle ->
          isOfOne(cycle)
              ? "a thread waits for a lock that it has itself"
              : cycle.edges().size() + " threads wait for each other";
      case Diagnosis.DeadlockByPinning pinning ->
          all(pinning.kept().size())
              + " kept by virtual threads that wait for one that needs a carrier";
      case Diagnosis.Starved starved ->
          all(starved.kept().size())
              + " kept by virtual threads that "
              + (runs(starved) ? "do not leave them" : "stand still")
              + ", and "
              + needCarrier(starved.queued());
      case Diagnosis.NeverReleased never ->
          Figures.count(never.waiters().size(), "thread")
              + (never.waiters().size() == 1 ? " waits for " : " wait for ")
              + WaitWords.lock(never.lock())
              + ", whose owner, "
              + owner(never.owner())
              + ", has ended";
      case Diagnosis.LostWakeUp lost -> LostWakeUpWords.statement(lost.waiters());
      case Diagnosis.Stalled stalled -> StallWords.statement(stalled.stall());
      case Diagnosis.Waiting waiting ->
          Figures.count(waiting.crowds().stream().mapToLong(Crowd::threads).sum())
              + " of "
              + Figures.count(waiting.virtualThreads(), "virtual thread")
              + (waiting.crowds().size() == 1
                  ? same(waiting.crowds().getFirst())
                  : " wait for " + waiting.crowds().size() + " things");
      case Diagnosis.Busy busy ->
          Figures.count(busy.moved())
              + " of "
              + Figures.count(busy.virtualThreads(), "virtual thread")
              + " moved between the two snapshots";
      case Diagnosis.Idle idle ->
          idle.virtualThreads() == 0
              ? "there are no virtual threads"
              : "none of "
                  + Figures.count(idle.virtualThreads(), "virtual thread")
                  + " wants to run";
      case Diagnosis.Unknown unknown -> unknown.why();
    };
  }

  private static boolean isOfOne(Diagnosis.LockCycle cycle) {
    return cycle.edges().size() == 1;
  }

  private static String owner(LockHolder.Ended owner) {
    return "thread #"
        + owner.threadId()
        + (owner.name().isEmpty() ? "" : " " + Printable.quoted(owner.name()));
  }

  private static String all(int carriers) {
    return carriers == 1 ? "the only carrier is" : "all " + carriers + " carriers are";
  }

  private static boolean runs(Diagnosis.Starved starved) {
    return starved.kept().stream().anyMatch(kept -> kept.thread().stays());
  }

  private static String needCarrier(long queued) {
    return queued == 1 ? "1 other needs a carrier" : Figures.count(queued) + " others need one";
  }

  /** Who holds what where, who waits, who needs a carrier. */
  public List<String> evidence(Diagnosis diagnosis) {
    return Stream.concat(diagnosis.details().stream(), diagnosis.circumstances().stream())
        .flatMap(detail -> evidence(detail).stream())
        .toList();
  }

  private List<String> evidence(DiagnosisDetail detail) {
    return switch (detail) {
      case DiagnosisDetail.Cycle cycle -> cycle.edges().stream().map(WaitWords::edge).toList();
      case DiagnosisDetail.Carriers carriers -> kept(carriers.kept(), carriers.queued());
      case DiagnosisDetail.Crowds crowds ->
          crowds.crowds().stream().map(DiagnosisWords::crowd).toList();
      case DiagnosisDetail.Abandoned abandoned -> waiters(abandoned.waiters());
      case DiagnosisDetail.LostThreads lost -> LostWakeUpWords.evidence(lost.threads(), THREADS);
      case DiagnosisDetail.StandingStill standing -> StallWords.evidence(standing.stall());
      case DiagnosisDetail.Moved moved -> List.of();
    };
  }

  private static List<String> waiters(List<SeenThread> threads) {
    List<String> lines = new ArrayList<>();
    threads.stream()
        .limit(THREADS)
        .forEach(each -> lines.add(WaitWords.who(each) + " " + WaitWords.waits(each)));
    if (threads.size() > THREADS) {
      lines.add("and " + Figures.count(threads.size() - THREADS, "more thread"));
    }
    return lines;
  }

  /** What ends it, and what keeps it from happening again. */
  public List<String> ends(Diagnosis diagnosis) {
    return switch (diagnosis) {
      case Diagnosis.LockCycle cycle ->
          List.of(
              isOfOne(cycle)
                  ? "ends: not by itself; to prevent it, release the read lock before the write"
                      + " lock is asked for, or take the write lock at once"
                  : cycle.edges().stream()
                          .anyMatch(edge -> edge.how() == WaitEdge.How.CLASS_INITIALIZATION)
                      ? "ends: not by itself; to prevent it, break the circle of initializers: load"
                          + " one of these classes before any thread needs another"
                      : "ends: not by itself; to prevent it, take these locks in the same order"
                          + " everywhere");
      case Diagnosis.NeverReleased never ->
          List.of(
              "ends: not by itself, only its owner can release a lock; to prevent it, release it"
                  + " in a finally block");
      case Diagnosis.DeadlockByPinning pinning -> endsOfPinning(pinning);
      case Diagnosis.Starved starved ->
          List.of(
              runs(starved)
                  ? "ends: when one of them waits or ends; what computes this long belongs on"
                      + " platform threads, and a loop that waits for another thread has to park"
                  : "ends: when one of them goes on; no deadlock is proven");
      case Diagnosis.LostWakeUp lost -> List.of(LostWakeUpWords.ends(lost.waiters()));
      case Diagnosis.Stalled stalled -> List.of(StallWords.ends(stalled.stall()));
      case Diagnosis.Waiting waiting -> List.of();
      case Diagnosis.Busy busy -> List.of();
      case Diagnosis.Idle idle -> List.of();
      case Diagnosis.Unknown unknown -> List.of();
    };
  }

  private List<String> endsOfPinning(Diagnosis.DeadlockByPinning pinning) {
    List<SeenThread> keepers = pinning.kept().stream().map(Kept::thread).toList();
    String prevention;
    if (keepers.stream().anyMatch(thread -> frameThatPins(thread).isPresent())) {
      prevention = "do not wait there: what keeps these carriers does so on every Java";
    } else if (jdk < UNPINNED_MONITORS && keepers.stream().allMatch(this::isKeptByMonitor)) {
      prevention =
          "wait without the monitor: a version of the library without it, or a ReentrantLock with"
              + " its Condition in its place; on Java 25.0.4 or later monitors keep no carrier (24"
              + " to 25.0.3 have faults that look like this)";
    } else {
      prevention = "do not wait while something keeps the carrier";
    }
    return List.of(
        (pinning.hasTimeout()
                ? "ends: when a wait times out, and may come back; to prevent it, "
                : "ends: not by itself; to prevent it, ")
            + prevention,
        "stopgap: more carriers than can be kept so at a time"
            + " (-Djdk.virtualThreadScheduler.parallelism and maxPoolSize); more threads hang"
            + " again");
  }

  /** Whether it keeps its carrier because of a monitor, which it holds, enters or waits at. */
  private boolean isKeptByMonitor(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.ObjectWait
        || thread.waitsFor() instanceof ThreadWait.MonitorEntry
        || heldMonitor(thread).isPresent();
  }

  private List<String> kept(List<Kept> all, long queued) {
    List<String> lines = new ArrayList<>();
    Map<Long, SeenThread> needy = new LinkedHashMap<>();
    for (Kept kept : all.subList(0, Math.min(THREADS, all.size()))) {
      lines.add(kept(kept));
      kept.chain().stream().skip(1).map(WaitWords::edge).forEach(lines::add);
    }
    if (all.size() > THREADS) {
      lines.add("and " + (all.size() - THREADS) + " more carriers are kept");
    }
    all.stream()
        .map(Kept::last)
        .filter(SeenThread::needsCarrier)
        .forEach(thread -> needy.put(thread.id(), thread));
    needy.values().stream()
        .limit(THREADS)
        .forEach(
            thread ->
                lines.add(WaitWords.who(thread) + " could run, and no carrier is free for it"));
    long others = queued - Math.min(needy.size(), THREADS);
    if (others > 0 && !needy.isEmpty()) {
      lines.add(Figures.count(others, "more virtual thread") + " could run too");
    }
    return lines.stream().distinct().toList();
  }

  private String kept(Kept kept) {
    SeenThread thread = kept.thread();
    return WaitWords.who(thread)
        + " keeps its carrier: it "
        + pin(thread).map(text -> text + " and ").orElse("")
        + (kept.chain().isEmpty()
            ? WaitWords.waits(thread)
            : WaitWords.waitsFor(kept.chain().getFirst()));
  }

  /** What keeps it on its carrier, as far as that is seen and its wait does not say it. */
  private Optional<String> pin(SeenThread thread) {
    if (thread.stays()) {
      return Optional.empty();
    }
    boolean waitSaysIt = thread.waitsFor() instanceof ThreadWait.ObjectWait;
    if (jdk < UNPINNED_MONITORS && heldMonitor(thread).isPresent() && !waitSaysIt) {
      HeldLock held = heldMonitor(thread).get();
      boolean known = held.depth() >= 0 && held.depth() < thread.frames().size();
      return Optional.of(
          "holds the monitor of "
              + (held.lock().className().isEmpty() ? "an object" : held.lock().text())
              + (known ? " in " + thread.frames().get(held.depth()) : ""));
    }
    return frameThatPins(thread)
        // That it is in native code is said once.
        .filter(
            frame ->
                frame.isClassInitializer() || !(thread.waitsFor() instanceof ThreadWait.NativeCode))
        .map(
            frame ->
                frame.isClassInitializer()
                    ? "initializes " + frame.type().name()
                    : "is in native code, " + frame);
  }

  /** A frame that keeps the carrier on every Java. */
  static Optional<Frame> frameThatPins(SeenThread thread) {
    return thread.frames().stream()
        .filter(frame -> frame.isClassInitializer() || (frame.isNative() && !frame.type().isJdk()))
        .findFirst();
  }

  /** The innermost monitor that a thread holds. */
  private static Optional<HeldLock> heldMonitor(SeenThread thread) {
    return thread.held().stream().filter(held -> held.kind() == HeldLock.Kind.MONITOR).findFirst();
  }

  private static String crowd(Crowd crowd) {
    SeenThread example = crowd.example();
    return Figures.count(crowd.threads(), "virtual thread")
        + (crowd.threads() == 1 ? " waits" : " wait")
        + WaitWords.site(example).map(frame -> " in " + frame).orElse("")
        + example.waitsFor().object().map(object -> " for " + WaitWords.lock(object)).orElse("")
        + (crowd.holder().isPresent()
            ? ", which thread #" + crowd.holder().getAsLong() + " has"
            : "");
  }

  private static String same(Crowd crowd) {
    SeenThread thread = crowd.example();
    if (crowd.threads() == 1) {
      return " waits for another thread";
    }
    return thread.waitsFor().object().filter(LockRef::isExact).isPresent()
        ? " wait for the same " + kind(thread)
        : " wait in the same place";
  }

  private static String kind(SeenThread thread) {
    return switch (thread.waitsFor()) {
      case ThreadWait.MonitorEntry entry -> "monitor";
      case ThreadWait.ObjectWait wait -> "notification";
      case ThreadWait.Park park -> park.holder() instanceof LockHolder.NotKnown ? "thing" : "lock";
      case ThreadWait.ClassInitialization awaited -> "class";
      case ThreadWait.Nothing nothing -> "thing";
      case ThreadWait.NativeCode code -> "thing";
      case ThreadWait.Sleep sleep -> "thing";
      case ThreadWait.NotKnown unknown -> "thing";
    };
  }
}
