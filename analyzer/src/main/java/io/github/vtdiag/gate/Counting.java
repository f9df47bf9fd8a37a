package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Conditions;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.FindingChange;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.gate.Measure.Counted;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.gate.Scope.Belongs;
import io.github.vtdiag.gate.Verdict.Allowed;
import io.github.vtdiag.gate.Verdict.Basis;
import io.github.vtdiag.gate.Verdict.Check;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Counts the pins that belong to each limit, and checks them against it. */
final class Counting {
  private final Findings findings;
  private final Policy policy;
  private final List<Named> counted = new ArrayList<>();
  private final List<Allowed> allowances = new ArrayList<>();
  private final List<Check> checks = new ArrayList<>();
  private final List<String> unproven = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Basis basis;

  Counting(Findings findings, Policy policy) {
    this.findings = findings;
    this.policy = policy;
    Identities identities = Identities.of(findings);
    List<Named> all =
        findings.pins().stream().map(each -> new Named(identities.of(each), each)).toList();
    counted.addAll(all);
    for (Allowance allowance : policy.allowances()) {
      List<Named> covered = all.stream().filter(allowance::covers).toList();
      boolean expired = allowance.hasExpired(policy.today());
      allowances.add(new Allowed(allowance, expired, covered));
      if (!expired) {
        counted.removeIf(allowance::covers);
      }
    }
    policy.limits().forEach(this::check);
    Optional<Difference> difference =
        policy
            .baseline()
            .map(
                base ->
                    Difference.of(base.run(), RunSummary.of("now", findings), base.tolerance()));
    basis =
        new Basis(
            policy,
            allowances,
            difference,
            difference.map(this::broken).orElse(List.of()),
            difference.map(Counting::changedOthers).orElse(List.of()));
  }

  /** Returns the limits whose figure is known. */
  List<Check> checks() {
    return checks;
  }

  Basis basis() {
    return basis;
  }

  /** Returns why a limit may be broken unseen, one sentence each. */
  List<String> unproven() {
    return unproven;
  }

  List<String> warnings() {
    return warnings;
  }

  /** Returns the changes that the baseline does not accept. */
  private List<Change> broken(Difference difference) {
    if (!difference.obstacles().isEmpty()) {
      unproven.add(
          policy.baseline().orElseThrow().origin()
              + " cannot be compared with these recordings: "
              + String.join("; ", difference.obstacles())
              + ". Record as it was made, or make a new one with vtdiag baseline");
      return List.of();
    }
    for (String remark : difference.remarks()) {
      warnings.add("the baseline is of a run of another " + remark);
    }
    for (String untold : difference.untold()) {
      warnings.add("the baseline is compared without " + untold);
    }
    Conditions before = difference.before().conditions();
    Conditions after = difference.after().conditions();
    before
        .starved("of the baseline", after)
        .ifPresent(starved -> warnings.add("pins may have become longer unnoticed: " + starved));
    Optional<String> starved = after.starved("that is judged", before);
    List<Change> noise = new ArrayList<>();
    List<Change> broken = new ArrayList<>();
    for (Change change : difference.changes()) {
      boolean isWrong =
          change.notable()
              && (change.kind() == Change.Kind.NEW || change.kind() == Change.Kind.WORSE);
      // Pins last longer on a machine that is short of processors.
      boolean isNoise =
          starved.isPresent()
              && change.kind() == Change.Kind.WORSE
              && !change.in().contains(Tolerance.Figure.COUNT);
      if (isWrong
          && counted.stream().anyMatch(named -> named.identity().equals(change.identity()))) {
        (isNoise ? noise : broken).add(change);
      }
    }
    // A watch that could not sample is reported by itself.
    if (!noise.isEmpty() && !findings.has(Gap.Kind.WATCH_STARVED)) {
      unproven.add(
          "pins are longer than the baseline has them, which need not be due to the program: "
              + starved.orElseThrow());
    }
    return broken;
  }

  /** Returns the findings other than pins that are new or worse. */
  private static List<FindingChange> changedOthers(Difference difference) {
    List<FindingChange> changed = new ArrayList<>();
    if (!difference.isComparable()) {
      // A thread that gets no processor waits longer, too.
      return changed;
    }
    for (Change.Kind kind : List.of(Change.Kind.NEW, Change.Kind.WORSE)) {
      difference.notableOthers(kind).stream()
          // A hang is judged separately.
          .filter(change -> !change.seen().isHang())
          .forEach(changed::add);
    }
    return changed;
  }

  private void check(Limit limit) {
    List<Named> owned = counted(limit, Belongs.YES);
    OptionalDouble figure = figure(limit, owned);
    if (figure.isEmpty()) {
      return;
    }
    Unit unit = limit.measure().unit();
    double measured = figure.getAsDouble();
    boolean broken = isBroken(limit, measured);
    List<Named> breaking = broken ? breaking(limit, owned) : List.of();
    checks.add(
        new Check(
            limit,
            measured,
            unit.text(measured, limit.value()),
            unit.text(limit.value(), measured),
            broken,
            where(limit.measure(), owned),
            breaking));
    if (broken && limit.measure().isOfSinglePin()) {
      warnLoads(breaking);
    }
    List<Named> notKnown = counted(limit, Belongs.NOT_KNOWN);
    List<Named> both = new ArrayList<>(owned);
    both.addAll(notKnown);
    OptionalDouble most = figure(limit, both);
    if (!broken && most.isPresent() && isBroken(limit, most.getAsDouble())) {
      unproven.add(
          "the recordings do not show whose pins "
              + Figures.count(notKnown.size(), "finding")
              + " of "
              + Figures.duration(notKnown.stream().mapToLong(of -> of.finding().total()).sum())
              + " are, and the limit on the "
              + limit.measure().text()
              + " of "
              + limit.scope().text()
              + " depends on that; give the class path with --classpath");
    }
  }

  /**
   * Warns that pins are longer than allowed only because a class was loaded, which reports call
   * harmless. They count nevertheless: a limit is a limit.
   */
  private void warnLoads(List<Named> breaking) {
    boolean onlyLoads = breaking.stream().map(Named::finding).allMatch(HarmlessPins::areLoads);
    String warning =
        "pins over the limit ended once a class was loaded or initialized: analyze calls them"
            + " harmless, and a warm-up leaves out those of the start";
    if (onlyLoads && !warnings.contains(warning)) {
      warnings.add(warning);
    }
  }

  private static boolean isBroken(Limit limit, double figure) {
    return limit.measure().bound().isBroken(figure, limit.value());
  }

  private OptionalDouble figure(Limit limit, List<Named> pins) {
    return limit
        .measure()
        .figure()
        .of(findings, Counted.of(pins.stream().map(Named::finding).toList()));
  }

  private List<Named> counted(Limit limit, Belongs belongs) {
    return counted.stream().filter(named -> limit.scope().has(named.finding()) == belongs).toList();
  }

  /** Returns the findings to look at, those with the most of a figure first. */
  private static List<Named> breaking(Limit limit, List<Named> pins) {
    Measure measure = limit.measure();
    return pins.stream()
        .filter(named -> measure.part().applyAsLong(named.finding()) > 0)
        .filter(
            named ->
                switch (measure.aggregation()) {
                  case MAXIMUM ->
                      isBroken(limit, (double) measure.part().applyAsLong(named.finding()));
                  case SUM -> true;
                })
        .sorted(
            Comparator.comparingLong((Named named) -> measure.part().applyAsLong(named.finding()))
                .reversed())
        .toList();
  }

  /**
   * Returns the finding with the most of a figure, as {@code com.example.Foo.bar (Foo.java:12)}.
   */
  private static Optional<String> where(Measure measure, List<Named> pins) {
    return pins.stream()
        .map(Named::finding)
        .filter(finding -> measure.part().applyAsLong(finding) > 0)
        .max(Comparator.comparingLong(measure.part()))
        .map(Counting::place);
  }

  private static String place(Pin finding) {
    String needs =
        finding.isClass()
            ? finding.caller().map(c -> ", for " + c.frame().qualifiedMethod()).orElse("")
            : "";
    return finding.title() + needs + finding.place().map(Counting::position).orElse("");
  }

  private static String position(Frame frame) {
    return frame.line() < 0 ? "" : " (" + Figures.position(frame.type(), frame.line()) + ")";
  }
}
