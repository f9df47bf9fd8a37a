package io.github.vtdiag.report;

import static io.github.vtdiag.report.words.Phrase.Tone.NAME;

import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.gate.Verdict.Allowed;
import io.github.vtdiag.gate.Verdict.Check;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Heading;
import io.github.vtdiag.report.words.Document.Section;
import io.github.vtdiag.report.words.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** The explanation of a gate verdict: what holds and why. */
final class GateExplanation {
  /** The percentage from which a part is told as a multiple. */
  private static final double MOST_PERCENT = 1_000;

  private static final List<Heading> LIMITS =
      List.of(
          new Heading("limit on", false),
          new Heading("scope", false),
          new Heading("allowed", true),
          new Heading("measured", true),
          new Heading("of the limit", true),
          new Heading("from", false));

  private GateExplanation() {}

  static List<Block> of(Verdict verdict) {
    Policy policy = verdict.basis().policy();
    List<Block> blocks = new ArrayList<>();
    if (!policy.limits().isEmpty()) {
      blocks.add(
          new Block.Table(
              LIMITS,
              List.of(
                  new Section(
                      "",
                      policy.limits().stream()
                          .map(limit -> row(limit, verdict.checks()))
                          .toList()))));
    }
    List<Phrase> lines = new ArrayList<>();
    verdict.basis().allowances().forEach(allowed -> lines.add(allowance(allowed)));
    policy
        .baseline()
        .ifPresent(base -> lines.add(baseline(base, verdict.basis().difference().orElseThrow())));
    policy.ignored().forEach(ignored -> lines.add(Phrase.of("ignored: " + ignored)));
    if (!lines.isEmpty()) {
      blocks.add(new Block.Sentences(lines));
    }
    return blocks;
  }

  private static List<String> row(Limit limit, List<Check> checks) {
    Optional<Check> check = checks.stream().filter(each -> each.of().equals(limit)).findFirst();
    return List.of(
        limit.measure().text(),
        limit.scope().text(),
        check
            .map(Check::limit)
            .orElseGet(() -> limit.measure().unit().text(limit.value(), limit.value())),
        check.map(Check::figure).orElse("not known"),
        check.map(each -> part(limit, each)).orElse(""),
        limit.origin());
  }

  /** Returns the measured part of a limit; more than 100% breaks one that is a maximum. */
  private static String part(Limit limit, Check check) {
    if (limit.value() <= 0) {
      return check.broken() ? "broken" : "at it";
    }
    double part = check.measured() / limit.value();
    return (part < MOST_PERCENT / 100
            ? Figures.percent(part)
            : Figures.count(Math.round(part)) + " times")
        + (check.broken() ? ", broken" : "");
  }

  private static Phrase allowance(Allowed allowed) {
    long pins = allowed.findings().stream().mapToLong(named -> named.finding().count()).sum();
    return Phrase.of("allowed until " + allowed.allowance().expires())
        .and(allowed.expired() ? " (expired): " : ": ")
        .and(NAME, allowed.allowance().site())
        .and(
            ", "
                + (pins == 0 ? "no pins" : Figures.count(pins, "pin"))
                + "; "
                + allowed.allowance().owner()
                + ": "
                + allowed.allowance().reason()
                + " ("
                + allowed.allowance().origin()
                + ")");
  }

  private static Phrase baseline(Policy.Baseline baseline, Difference difference) {
    long chance =
        difference.changes().stream()
            .filter(change -> change.kind() == Change.Kind.NEW && !change.notable())
            .count();
    return Phrase.of(
        "baseline "
            + baseline.origin()
            + ": "
            + counts(difference.before().findings().size(), kind -> difference.notable(kind).size())
            + (chance == 0 ? "" : "; " + Figures.count(chance) + " new that may be chance")
            + (difference.obstacles().isEmpty() ? "" : "; cannot be compared")
            + others(baseline, difference));
  }

  /** Returns the line on other findings; empty if neither run has any. */
  private static String others(Policy.Baseline baseline, Difference difference) {
    return difference.others().isEmpty()
        ? ""
        : "; of what is no pin "
            + counts(
                difference.before().others().size(), kind -> difference.notableOthers(kind).size())
            + (baseline.others() ? "" : ", only to be warned of");
  }

  private static String counts(int accepted, ToIntFunction<Change.Kind> count) {
    return Figures.count(accepted, "finding")
        + " accepted, "
        + Figures.count(count.applyAsInt(Change.Kind.NEW))
        + " new, "
        + Figures.count(count.applyAsInt(Change.Kind.WORSE))
        + " worse, "
        + Figures.count(count.applyAsInt(Change.Kind.BETTER))
        + " better, "
        + Figures.count(count.applyAsInt(Change.Kind.GONE))
        + " gone";
  }
}
