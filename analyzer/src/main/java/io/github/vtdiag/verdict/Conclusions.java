package io.github.vtdiag.verdict;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.OtherFinding;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.verdict.Conclusion.Kind;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Decides what limited the program. Carriers were the limit if virtual threads waited for one while
 * none was idle, and that was no moment: half of the time, or seconds of it in a row.
 */
public final class Conclusions {
  /** Threads that wait for so much of the time wait all the time. */
  private static final double HALF = 0.5;

  /** A burst in a long recording is no limit. */
  private static final double BURST = 0.1;

  private static final long SECONDS = TimeUnit.SECONDS.toNanos(2);

  /** Carriers that are kept for so much of the time are likely to be missed. */
  private static final double NEARLY_ALL = 0.8;

  /** Pins that take up to this part of the carriers' time are nothing to worry about. */
  public static final double FEW_PINS = 0.05;

  private static final List<Use> BUSY = List.of(Use.PINNED, Use.JAVA, Use.FILE, Use.NATIVE);

  private Conclusions() {}

  /** What limited the program. */
  public static Conclusion of(Findings findings) {
    if (isHung(findings)) {
      return Conclusion.noLimit(Kind.HUNG, 0);
    }
    if (findings.has(Gap.Kind.OUTSIDE_RANGE)) {
      return Conclusion.notKnown(0, Set.of());
    }
    return refused(findings)
        .or(() -> limit(findings))
        .or(() -> other(findings))
        .or(() -> likely(findings))
        .orElseGet(() -> noLimit(findings));
  }

  private static boolean isHung(Findings findings) {
    return findings.recordings().stream()
        .flatMap(facts -> facts.hangs().stream())
        .anyMatch(RecordingFacts.Hang::lasts);
  }

  /** Threads that are lost are no question of speed. */
  private static Optional<Conclusion> refused(Findings findings) {
    return findings.others().stream()
        .filter(other -> other.kind() == OtherFinding.Kind.SUBMIT_FAILED)
        .findFirst()
        .map(other -> Conclusion.limit(Kind.SUBMIT_FAILED, other, false, 0));
  }

  /** What was seen to keep the carriers while threads waited for one. */
  private static Optional<Conclusion> limit(Findings findings) {
    Account account = findings.account();
    return account
        .rush()
        .filter(
            rush ->
                rush.nanos() >= HALF * account.spanNanos()
                    || (rush.lastingNanos() >= SECONDS
                        && rush.lastingNanos() >= BURST * account.spanNanos()))
        .map(
            rush -> {
              Use use = BUSY.stream().max(Comparator.comparingDouble(rush::part)).orElseThrow();
              return Conclusion.limit(kind(use), true, rush.part(use), culprit(use, findings));
            });
  }

  private static Optional<Culprit> culprit(Use use, Findings findings) {
    return use == Use.PINNED ? Culprit.of(findings) : Optional.empty();
  }

  private static Kind kind(Use use) {
    return switch (use) {
      case JAVA -> Kind.COMPUTATION;
      case NATIVE -> Kind.NATIVE_CODE;
      case FILE -> Kind.FILE_IO;
      case PINNED -> Kind.PINNED;
      case IDLE, UNKNOWN -> throw new IllegalArgumentException(use.name());
    };
  }

  /** What else kept the program from going faster: the first of them costs most. */
  private static Optional<Conclusion> other(Findings findings) {
    Account account = findings.account();
    return findings.others().stream()
        .filter(OtherFinding::limits)
        .findFirst()
        .map(
            other ->
                Conclusion.limit(
                    kind(other.kind()), other, account.isIdleKnown(), account.part(Use.IDLE)));
  }

  private static Kind kind(OtherFinding.Kind other) {
    return switch (other) {
      case POOL -> Kind.POOL;
      case SEMAPHORE -> Kind.SEMAPHORE;
      case LOCK, MONITOR -> Kind.LOCK;
      case FULL_QUEUE -> Kind.FULL_QUEUE;
      case SIGNAL, FUTURE -> Kind.OTHER_THREADS;
      case REMOTE -> Kind.REMOTE_ANSWERS;
      case MONOPOLIZED_CARRIERS, SPINNING -> Kind.COMPUTATION;
      case FILE_IO -> Kind.FILE_IO;
      case NATIVE_CALL, NAME_LOOKUP, PROCESS_START -> Kind.NATIVE_CODE;
      case POOLED_THREADS -> Kind.POOLED_THREADS;
      case THREAD_LOCAL_CACHE -> Kind.THREAD_LOCAL_CACHE;
      case NO_BACKPRESSURE -> Kind.NO_BACKPRESSURE;
      case SUBMIT_FAILED -> Kind.SUBMIT_FAILED;
    };
  }

  /** Where nobody looked: carriers that were kept nearly all the time. */
  private static Optional<Conclusion> likely(Findings findings) {
    Account account = findings.account();
    if (account.rush().isPresent() || account.capacityNanos() == 0) {
      return Optional.empty();
    }
    double busy = BUSY.stream().mapToDouble(account::part).sum();
    boolean waited = account.line().map(line -> line.partOfTime() >= HALF).orElse(false);
    boolean never = account.line().map(line -> line.most() == 0).orElse(false);
    if (never || busy < (waited ? HALF : NEARLY_ALL)) {
      return Optional.empty();
    }
    Use use = BUSY.stream().max(Comparator.comparingDouble(account::part)).orElseThrow();
    Optional<Culprit> culprit = waited ? culprit(use, findings) : Optional.empty();
    return Optional.of(Conclusion.limit(kind(use), waited, account.part(use), culprit));
  }

  private static Conclusion noLimit(Findings findings) {
    Account account = findings.account();
    double pinned = account.part(Use.PINNED);
    Set<Missing> why = EnumSet.noneOf(Missing.class);
    why.addAll(account.missing());
    // What is only missing to divide the rest does not matter here.
    why.retainAll(
        EnumSet.of(Missing.WATCH, Missing.LOOKS, Missing.PINNED_EVENTS, Missing.CAPACITY));
    // Were threads waiting whenever nobody looked, carriers would still not have been the limit.
    double waited =
        account.rush().map(rush -> (double) rush.nanos() / account.spanNanos()).orElse(0.0);
    if (account.part(Use.UNKNOWN) + waited < HALF) {
      why.remove(Missing.LOOKS);
    }
    if (!why.isEmpty()) {
      return Conclusion.notKnown(pinned, why);
    }
    return pinned > FEW_PINS
        ? Conclusion.noLimit(Kind.SOME_PINS, pinned)
        : Conclusion.noLimit(Kind.NOTHING_TO_CHANGE, account.part(Use.IDLE));
  }
}
