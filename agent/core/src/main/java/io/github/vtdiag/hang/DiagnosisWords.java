package io.github.vtdiag.hang;

import io.github.vtdiag.hang.Diagnosis.Crowd;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A diagnosis in words: the verdict first, then the evidence, then what ends it. Names of threads
 * are made printable here; classes and the rest are for whoever prints them.
 */
public final class DiagnosisWords {
  /** Of so many threads each is told; the rest is counted. */
  private static final int THREADS = 4;

  private final CarrierWords carriers;

  /**
   * @param jdk the feature number of the JDK that ran; 0 if not known
   */
  public DiagnosisWords(int jdk) {
    this(jdk, className -> Optional.empty());
  }

  /**
   * @param agents the jar of an agent that has a class, if that is known
   */
  public DiagnosisWords(int jdk, Function<String, Optional<String>> agents) {
    this.carriers = new CarrierWords(jdk, agents);
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
      case Diagnosis.DeadlockByPinning pinning -> CarrierWords.statement(pinning);
      case Diagnosis.Starved starved -> CarrierWords.statement(starved);
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

  /** Who holds what where, who waits, who needs a carrier. */
  public List<String> evidence(Diagnosis diagnosis) {
    return Stream.concat(diagnosis.details().stream(), diagnosis.circumstances().stream())
        .flatMap(detail -> evidence(detail).stream())
        .toList();
  }

  private List<String> evidence(DiagnosisDetail detail) {
    return switch (detail) {
      case DiagnosisDetail.Cycle cycle -> cycle.edges().stream().map(WaitWords::edge).toList();
      case DiagnosisDetail.Carriers carriers ->
          this.carriers.kept(carriers.kept(), carriers.queued());
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
      case Diagnosis.DeadlockByPinning pinning -> carriers.ends(pinning);
      case Diagnosis.Starved starved -> carriers.ends(starved);
      case Diagnosis.LostWakeUp lost -> List.of(LostWakeUpWords.ends(lost.waiters()));
      case Diagnosis.Stalled stalled -> List.of(StallWords.ends(stalled.stall()));
      case Diagnosis.Waiting waiting -> List.of();
      case Diagnosis.Busy busy -> List.of();
      case Diagnosis.Idle idle -> List.of();
      case Diagnosis.Unknown unknown -> List.of();
    };
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
