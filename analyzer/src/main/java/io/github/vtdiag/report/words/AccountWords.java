package io.github.vtdiag.report.words;

import static io.github.vtdiag.report.words.Phrase.Tone.BAD;
import static io.github.vtdiag.report.words.Phrase.Tone.GOOD;
import static io.github.vtdiag.report.words.Phrase.Tone.STRONG;
import static io.github.vtdiag.report.words.Phrase.Tone.WARNING;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.account.Account.Source;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.PinReason;
import io.github.vtdiag.verdict.Conclusion;
import io.github.vtdiag.verdict.Conclusions;
import io.github.vtdiag.verdict.Culprit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The bottleneck and the account of the carriers' time in words. */
public final class AccountWords {
  private static final double POINT = 0.01;

  /** The least part of the time for which a queue is no accident. */
  private static final double LONG = 0.5;

  /** The part of the time with work from which the rest is not worth a word. */
  private static final double NEARLY_ALL = 0.9;

  private static final Set<Missing> SAMPLES =
      EnumSet.of(Missing.JAVA_SAMPLES, Missing.NATIVE_SAMPLES);

  private AccountWords() {}

  /** Returns the verdict in a sentence, and the account in one or two. */
  public static List<Phrase> lines(Findings findings) {
    Conclusion conclusion = Conclusions.of(findings);
    List<Phrase> lines = new ArrayList<>();
    // For a hang, other lines say it.
    if (conclusion.kind() != Bottleneck.HUNG) {
      boolean late = isFree(conclusion) && isQueuedForLong(findings.account());
      lines.add(Phrase.of(late ? WARNING : tone(conclusion), verdict(conclusion, findings)));
    }
    shares(findings.account()).map(Phrase::of).ifPresent(lines::add);
    queue(findings.account()).map(Phrase::of).ifPresent(lines::add);
    ComputationWords.pauses(findings).map(Phrase::of).ifPresent(lines::add);
    return lines;
  }

  public static Phrase.Tone tone(Conclusion conclusion) {
    return switch (conclusion.kind()) {
      case HUNG -> BAD;
      case NOT_KNOWN -> WARNING;
      case NOTHING_TO_CHANGE -> GOOD;
      case SOME_PINS, REMOTE_ANSWERS -> STRONG;
      case PINNED,
          COMPUTATION,
          FILE_IO,
          NATIVE_CODE,
          CARRIERS_BLOCKED,
          POOL,
          SEMAPHORE,
          LOCK,
          FULL_QUEUE,
          OTHER_THREADS,
          POOLED_THREADS,
          THREAD_LOCAL_CACHE,
          NO_BACKPRESSURE,
          SUBMIT_FAILED ->
          conclusion.carriers() ? BAD : STRONG;
    };
  }

  /** Returns the verdict in one sentence. */
  public static String verdict(Conclusion conclusion, Findings findings) {
    Account account = findings.account();
    if (conclusion.other().isPresent()) {
      return (conclusion.sure() && !conclusion.kind().keepsCarriers()
              ? "The carriers were not the bottleneck: " + idle(account) + ". "
              : "")
          + BehaviorWords.cause(conclusion, findings)
          + behavior(conclusion.other().get());
    }
    if (isFree(conclusion) && isQueuedForLong(account)) {
      return queuedBesideIdle(conclusion, findings);
    }
    return switch (conclusion.kind()) {
      case HUNG ->
          HangWords.lines(findings).stream()
              .findFirst()
              .map(Phrase::text)
              .orElse("The program hung.");
      case PINNED ->
          limit(
              conclusion
                  .culprit()
                  .map(AccountWords::reason)
                  .orElse("because waiting threads could not unmount"),
              "pinned",
              conclusion,
              account);
      case COMPUTATION ->
          limit(
              ComputationWords.reason(findings),
              ComputationWords.use(findings),
              conclusion,
              account);
      case FILE_IO ->
          limit("because threads read or wrote files", "in file I/O", conclusion, account);
      case NATIVE_CODE ->
          limit("because threads were in native code", "in native code", conclusion, account);
      case CARRIERS_BLOCKED ->
          limit(
              "because they waited themselves, in code that an agent put into the JDK",
              "blocked with no virtual thread on them",
              conclusion,
              account);
      case SOME_PINS ->
          "The carriers were not the bottleneck, though pins took "
              + Figures.percent(conclusion.part())
              + " of their time: "
              + conclusion
                  .culprit()
                  .flatMap(Culprit::pool)
                  .map(pool -> "virtual threads waited for a free object of " + pool + ", and ")
                  .orElse("")
              + (findings.hasAddedCarriers() && account.part(Use.IDLE) < LONG
                  ? "the scheduler had added carriers for threads in Object.wait"
                  : idle(account))
              + ".";
      case NOTHING_TO_CHANGE -> "The carriers were not the bottleneck: " + idle(account) + ".";
      case NOT_KNOWN ->
          conclusion.stall().isPresent()
              ? conclusion.stall().get().stall()
              : conclusion.why().isEmpty()
                  ? "Bottleneck unknown: nothing was recorded in that time."
                  : "Bottleneck unknown: " + why(conclusion.why()) + ".";
      case POOL,
          SEMAPHORE,
          LOCK,
          FULL_QUEUE,
          OTHER_THREADS,
          REMOTE_ANSWERS,
          POOLED_THREADS,
          THREAD_LOCAL_CACHE,
          NO_BACKPRESSURE,
          SUBMIT_FAILED ->
          throw new IllegalStateException(conclusion.kind() + " without a finding");
    };
  }

  private static boolean isFree(Conclusion conclusion) {
    return conclusion.kind() == Bottleneck.SOME_PINS
        || conclusion.kind() == Bottleneck.NOTHING_TO_CHANGE;
  }

  /** Returns whether the next line, on the queue, would contradict that carriers were idle. */
  private static boolean isQueuedForLong(Account account) {
    return account.queue().filter(queue -> queue.partOfTime() >= LONG).isPresent();
  }

  private static String queuedBesideIdle(Conclusion conclusion, Findings findings) {
    Account account = findings.account();
    return "Virtual threads were queued "
        + Figures.percent(account.queue().orElseThrow().partOfTime())
        + " of the time, though not every carrier was busy: "
        + idle(account)
        + (conclusion.kind() == Bottleneck.SOME_PINS
            ? ", and pinned " + Figures.percent(conclusion.part())
            : "")
        + (findings.hasAddedCarriers()
            ? ". The scheduler had added carriers for threads in Object.wait, and lets no more run"
                + " than there are regular ones."
            : ". The machine probably had no free processor for them.");
  }

  /** Returns {@code 490 virtual threads (98% of them) were waiting for a pool: Hikari (10).} */
  private static String behavior(Behavior finding) {
    String title = finding.kind().title();
    Observation seen = finding.seen();
    String what =
        finding instanceof Finding.Wait && seen.atOnce().isPresent()
            ? BehaviorWords.atOnce(seen.atOnce().get()) + " were " + title + " on average"
            : title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1);
    return what + ": " + finding.kind().name(seen) + ".";
  }

  private static String reason(Culprit culprit) {
    return (culprit.alone() ? "because of " : "mostly because of ")
        + culprit
            .pool()
            .map(pool -> "waits for a free object of " + pool + ", pinned by ")
            .orElse("")
        + culprit.finding().kind().culprit(culprit.finding())
        + culprit
            .stays()
            .map(
                also ->
                    " (with "
                        + also.cause().text()
                        + (also.site().name().isEmpty() ? "" : " in " + also.site().name())
                        + " on the same stacks)")
            .orElse("");
  }

  private static String limit(String reason, String what, Conclusion conclusion, Account account) {
    if (!conclusion.sure()) {
      String part = ": they were " + what + " at least " + Figures.percent(conclusion.part());
      return "The carriers were probably the bottleneck, "
          + reason
          // For pins, the next line says it.
          + (conclusion.kind() == Bottleneck.PINNED ? "" : part + " of the time")
          + "; the queue of virtual threads was not recorded.";
    }
    return "The carriers were the bottleneck, "
        + reason
        + ": "
        + account
            .saturation()
            .map(
                rush ->
                    "they were saturated "
                        + saturated(rush, account)
                        + ", and meanwhile "
                        + Figures.percent(conclusion.part())
                        + " of them were "
                        + what)
            .orElseGet(
                () ->
                    "they were " + what + " " + Figures.percent(conclusion.part()) + " of the time")
        + ".";
  }

  private static String saturated(Account.Saturation rush, Account account) {
    return Figures.percent((double) rush.nanos() / account.spanNanos())
        + " of the time"
        + (rush.workNanos() < NEARLY_ALL * account.spanNanos()
            ? " (" + Figures.percent(rush.partOfWork()) + " of the time with work)"
            : "");
  }

  private static String idle(Account account) {
    return (account.isIdleKnown()
            ? "they were idle " + Figures.percent(account.part(Use.IDLE)) + " of the time"
            : "nothing blocked them for long")
        + account
            .queue()
            .map(
                line ->
                    line.partOfTime() < POINT ? ", and almost no virtual thread was queued" : "")
            .orElse("");
  }

  /** Returns {@code Carriers: 38% pinned (35% holding a monitor), 12% running Java code ...}. */
  private static Optional<String> shares(Account account) {
    if (account.capacityNanos() == 0) {
      return Optional.empty();
    }
    List<String> parts = account.named().stream().map(use -> share(use, account)).toList();
    if (parts.size() == 1 && account.part(Use.UNKNOWN) > 1 - Account.LITTLE) {
      return Optional.empty();
    }
    Set<Missing> missing = EnumSet.noneOf(Missing.class);
    missing.addAll(account.missing());
    // The verdict says that already.
    missing.remove(Missing.WATCH);
    return Optional.of(
        "Carrier time: "
            + String.join(", ", parts)
            + (!missing.isEmpty() ? " (" + why(missing) + ")" : "")
            + "."
            + (account.isOfPinsAlone() ? "" : from(account)));
  }

  private static String share(Use use, Account account) {
    return account.text(use) + (use == Use.PINNED ? reasons(account) : "");
  }

  private static String reasons(Account account) {
    if (account.isOfPinsAlone() && account.pinned().size() == 1) {
      return ""; // The findings say more.
    }
    List<String> reasons =
        account.pinned().stream()
            .filter(pin -> pin.nanos() >= Account.LITTLE * account.capacityNanos())
            .map(
                pin ->
                    Figures.percent((double) pin.nanos() / account.capacityNanos())
                        + " "
                        + name(pin.reason()))
            .toList();
    return reasons.isEmpty() ? "" : " (" + String.join(", ", reasons) + ")";
  }

  static String name(PinReason reason) {
    return switch (reason) {
      case MONITOR -> "holding a monitor";
      case MONITOR_ENTRY -> "entering a monitor";
      case OBJECT_WAIT -> "in Object.wait";
      case NATIVE_FRAME -> "called from native code";
      case CLASS -> "for a class";
      case UNEXPLAINED -> "for an unknown reason";
      case SHORT -> "too shortly to be recorded";
    };
  }

  /** Returns the sources of the shares, and their largest error. */
  private static String from(Account account) {
    double error = 0;
    Set<Source> sources = EnumSet.noneOf(Source.class);
    for (Use use : Use.values()) {
      if (account.share(use).nanos() > 0) {
        error = Math.max(error, account.error(use));
        sources.addAll(account.share(use).sources());
      }
    }
    String names = Words.list(sources.stream().sorted().map(AccountWords::name).toList());
    return sources.isEmpty()
        ? ""
        : (error > 0 ? " Uncertainty ± " + points(error) + "; source: " : " Source: ")
            + names
            + "."
            + ComputationWords.withoutProcessor(account);
  }

  private static String points(double error) {
    double points = Math.max(0.1, error * 100);
    return Figures.decimal(points, points >= 10 ? 0 : 1) + " points";
  }

  private static String name(Source source) {
    return switch (source) {
      case WATCH -> "the agent's samples of the carriers";
      case SAMPLES -> "JFR samples";
      case EVENTS -> "events";
    };
  }

  /** Returns what was not recorded. */
  static String why(Collection<Missing> missing) {
    boolean none = missing.containsAll(SAMPLES);
    Stream<String> others =
        missing.stream()
            .filter(each -> !none || !SAMPLES.contains(each))
            .sorted()
            .map(Missing::text);
    return Stream.concat(none ? Stream.of("no samples") : Stream.of(), others)
        .collect(Collectors.joining("; "));
  }

  /** Returns the number of queued virtual threads, if it is known and not 0. */
  public static Optional<String> queue(Account account) {
    return account
        .queue()
        .filter(line -> line.most() > 0)
        .map(
            line ->
                "Waiting for a carrier: mean "
                    + Figures.mean(line.mean())
                    + " virtual threads, peak "
                    + Figures.count(line.most())
                    + "; the queue was not empty "
                    + Figures.percent(line.partOfTime())
                    + " of the time.");
  }
}
