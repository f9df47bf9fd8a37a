package io.github.vtdiag.verdict;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.account.Account.Saturation;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.waits.Awaited;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Decides what the bottleneck was. Carriers were the bottleneck if virtual threads waited for one
 * while none was idle, for long enough: half of the time with work, or seconds of it in a row. A
 * tenth of the time is enough where pins took half of the carriers' time while there was work, and
 * most of it while threads waited. Time without work, as at the start of a program, says nothing of
 * what limits it; but a burst is no bottleneck, however dense it is.
 */
public final class Conclusions {
  /** The part of the time from which on threads wait all the time. */
  private static final double HALF = 0.5;

  /** The least part of a recording that is more than a burst; a burst is not a bottleneck. */
  private static final double BURST = 0.1;

  private static final long SECONDS = TimeUnit.SECONDS.toNanos(2);

  /** The part of the time from which on occupied carriers are likely to be missed. */
  private static final double NEARLY_ALL = 0.8;

  /** The most of the carriers' time that pins may take before they matter. */
  public static final double FEW_PINS = 0.05;

  private static final List<Use> BUSY =
      List.of(Use.PINNED, Use.JAVA, Use.FILE, Use.NATIVE, Use.BLOCKED);

  private Conclusions() {}

  /** Returns the bottleneck of the program. */
  public static Conclusion of(Findings findings) {
    if (!findings.ongoingHangs().isEmpty()) {
      return Conclusion.noLimit(Bottleneck.HUNG, 0);
    }
    if (findings.has(Gap.Kind.OUTSIDE_RANGE)) {
      return Conclusion.notKnown(0, Set.of());
    }
    return refused(findings)
        .or(() -> stalledAfterwards(findings))
        .or(() -> limit(findings))
        .or(() -> stalled(findings))
        .or(() -> other(findings))
        .or(() -> likely(findings))
        .orElseGet(() -> noLimit(findings));
  }

  /** Returns the conclusion if threads were lost, which is not a question of speed. */
  private static Optional<Conclusion> refused(Findings findings) {
    return findings.behaviors().stream()
        .filter(behavior -> behavior.kind().bottleneck() == Bottleneck.SUBMIT_FAILED)
        .findFirst()
        .map(
            behavior ->
                Conclusion.limit(Bottleneck.SUBMIT_FAILED, behavior, Optional.empty(), false, 0));
  }

  /** Returns what was seen to occupy the carriers while threads waited for one. */
  private static Optional<Conclusion> limit(Findings findings) {
    Account account = findings.account();
    return account
        .saturation()
        .filter(
            rush ->
                rush.nanos() >= BURST * account.spanNanos()
                    && (rush.partOfWork() >= HALF
                        || (rush.lastingNanos() >= SECONDS
                            && rush.lastingNanos() >= BURST * account.spanNanos())
                        || isPinnedInBursts(rush, account)))
        .flatMap(
            rush -> {
              Use use = BUSY.stream().max(Comparator.comparingDouble(rush::part)).orElseThrow();
              return use == Use.PINNED && isHarmless(findings)
                  ? Optional.empty()
                  : Optional.of(
                      Conclusion.limit(kind(use), true, rush.part(use), culprit(use, findings)));
            });
  }

  /**
   * Returns whether there is no pin to change, and pins took little of the carriers' time: then
   * something else kept threads waiting.
   */
  private static boolean isHarmless(Findings findings) {
    return findings.account().part(Use.PINNED) <= FEW_PINS
        && findings.pins().stream().allMatch(HarmlessPins::are);
  }

  /**
   * Returns whether pins took the carriers' time, and others waited for one because of that now and
   * then. A thread that waits behind a pin can go on when it ends, and asks for no carrier
   * meanwhile.
   */
  private static boolean isPinnedInBursts(Saturation rush, Account account) {
    double work = (double) rush.workNanos() / account.spanNanos();
    return account.part(Use.PINNED) >= HALF * work && rush.part(Use.PINNED) >= HALF;
  }

  private static Optional<Culprit> culprit(Use use, Findings findings) {
    return use == Use.PINNED ? Culprit.of(findings) : Optional.empty();
  }

  private static Bottleneck kind(Use use) {
    return switch (use) {
      case JAVA -> Bottleneck.COMPUTATION;
      case NATIVE -> Bottleneck.NATIVE_CODE;
      case FILE -> Bottleneck.FILE_IO;
      case PINNED -> Bottleneck.PINNED;
      case BLOCKED -> Bottleneck.CARRIERS_BLOCKED;
      case IDLE, UNKNOWN -> throw new IllegalArgumentException(use.name());
    };
  }

  /**
   * Returns that threads may have stood still for half of the time at least, if the carriers were
   * saturated only as long as they may have been before that: then work is not what kept them.
   */
  private static Optional<Conclusion> stalledAfterwards(Findings findings) {
    Account account = findings.account();
    long saturated = account.saturation().map(Saturation::nanos).orElse(0L);
    return findings.gaps().stream()
        .filter(gap -> gap.kind().is(Gap.Trait.STALL))
        .filter(gap -> gap.stalledNanos().orElse(0) >= HALF * account.spanNanos())
        .filter(gap -> gap.stalledNanos().orElse(0) <= account.spanNanos() - saturated)
        .findFirst()
        .map(Conclusion::mayStall);
  }

  /** Returns that the program may have stood still, which is no question of speed either. */
  private static Optional<Conclusion> stalled(Findings findings) {
    return findings.gaps().stream()
        .filter(gap -> gap.kind().is(Gap.Trait.STALL))
        .findFirst()
        .map(Conclusion::mayStall);
  }

  /** Returns the bottleneck other than the carriers: the finding that costs most, or its cause. */
  private static Optional<Conclusion> other(Findings findings) {
    Account account = findings.account();
    return findings.behaviors().stream()
        .filter(behavior -> behavior.seen().limits())
        .findFirst()
        .map(behavior -> lockOfUsers(behavior, findings).orElse(behavior))
        .map(
            behavior ->
                Conclusion.limit(
                    behavior.kind().bottleneck(),
                    behavior,
                    cause(behavior, findings),
                    account.isIdleKnown(),
                    account.part(Use.IDLE)));
  }

  /**
   * Returns the waits of a pool's users for a lock, if they keep its objects in use: they are the
   * cause of the waits for the pool.
   */
  private static Optional<Finding.Behavior> lockOfUsers(Finding.Behavior pool, Findings findings) {
    return pool.seen()
        .detail(Observation.LOCK_OF_USERS)
        .map(Observation.Detail::text)
        .flatMap(
            lock ->
                findings.behaviors().stream()
                    .filter(other -> other.kind().bottleneck() == Bottleneck.LOCK)
                    .filter(other -> other.seen().limits())
                    .filter(other -> isAt(other.seen(), lock))
                    .findFirst());
  }

  private static boolean isAt(Observation seen, String method) {
    return seen.inside()
        .or(seen::site)
        .map(Frame::qualifiedMethod)
        .filter(method::equals)
        .isPresent();
  }

  /**
   * Returns what keeps the consumers of a full queue, or the users of a pool: that is the cause,
   * and not the queue or the pool.
   */
  private static Optional<Culprit> cause(Finding.Behavior behavior, Findings findings) {
    Observation seen = behavior.seen();
    return switch (behavior.kind().bottleneck()) {
      case FULL_QUEUE ->
          seen.site()
              .map(Frame::qualifiedMethod)
              .flatMap(producer -> Culprit.consumers(findings, producer));
      case POOL ->
          seen.detail(Observation.LOCK_OF_USERS)
              .flatMap(lock -> Culprit.users(findings, lock.text()));
      case HUNG,
          PINNED,
          COMPUTATION,
          FILE_IO,
          NATIVE_CODE,
          CARRIERS_BLOCKED,
          SEMAPHORE,
          LOCK,
          OTHER_THREADS,
          REMOTE_ANSWERS,
          POOLED_THREADS,
          THREAD_LOCAL_CACHE,
          NO_BACKPRESSURE,
          SUBMIT_FAILED,
          SOME_PINS,
          NOTHING_TO_CHANGE,
          NOT_KNOWN ->
          Optional.empty();
    };
  }

  /**
   * Returns the likely bottleneck without samples: carriers that were occupied nearly all the time.
   */
  private static Optional<Conclusion> likely(Findings findings) {
    Account account = findings.account();
    if (account.saturation().isPresent() || account.capacityNanos() == 0) {
      return Optional.empty();
    }
    double busy = BUSY.stream().mapToDouble(account::part).sum();
    boolean waited = account.queue().map(line -> line.partOfTime() >= HALF).orElse(false);
    boolean never = account.queue().map(line -> line.most() == 0).orElse(false);
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
    // Missing data that would only divide the rest does not matter here.
    why.retainAll(
        EnumSet.of(
            Missing.WATCH,
            Missing.LOOKS,
            Missing.ELSEWHERE,
            Missing.PINNED_EVENTS,
            Missing.CAPACITY));
    // Carriers would not have been the bottleneck even if threads had waited at all times without
    // samples.
    double waited =
        account.saturation().map(rush -> (double) rush.nanos() / account.spanNanos()).orElse(0.0);
    if (account.part(Use.UNKNOWN) + waited < HALF) {
      why.remove(Missing.LOOKS);
    }
    if (!why.isEmpty()) {
      return Conclusion.notKnown(pinned, why);
    }
    return pinned > FEW_PINS
        ? Conclusion.noLimit(
            Bottleneck.SOME_PINS,
            pinned,
            Culprit.of(findings).filter(culprit -> culprit.pool().isPresent()))
        : results(findings)
            .orElseGet(
                () -> Conclusion.noLimit(Bottleneck.NOTHING_TO_CHANGE, account.part(Use.IDLE)));
  }

  /**
   * Returns that most threads waited for results, if nothing else was found: the program is as fast
   * as whatever computes them. The children of a thread are themselves among the threads.
   */
  private static Optional<Conclusion> results(Findings findings) {
    return findings.behaviors().stream()
        .filter(behavior -> behavior.kind() == WaitKind.FUTURE)
        .filter(behavior -> Awaited.isOfResult(behavior.seen().traits()))
        .findFirst()
        .map(
            behavior ->
                Conclusion.limit(
                    behavior.kind().bottleneck(),
                    behavior,
                    Optional.empty(),
                    findings.account().isIdleKnown(),
                    findings.account().part(Use.IDLE)));
  }
}
