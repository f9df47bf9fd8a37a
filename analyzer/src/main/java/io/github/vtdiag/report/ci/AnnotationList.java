package io.github.vtdiag.report.ci;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.FindingChange;
import io.github.vtdiag.gate.Named;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.gate.Verdict.Allowed;
import io.github.vtdiag.gate.Verdict.Check;
import io.github.vtdiag.report.words.FindingWords;
import io.github.vtdiag.report.words.GateWords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The remarks that follow from a verdict, one by one.
 *
 * @param tests the checks of the recordings
 * @param all the remarks, the worst first
 */
record AnnotationList(List<Tested> tests, List<Annotation> all) {

  /** A check of the recordings. */
  record Tested(String name, Outcome outcome, List<String> lines) {}

  /** The outcome of a check. */
  enum Outcome {
    HOLDS,
    BROKEN,
    /** The check may hold, but the recordings are no proof. */
    UNTOLD
  }

  static AnnotationList of(BuildReport report) {
    List<Annotation> all = new ArrayList<>();
    boolean told =
        switch (report.verdict()) {
          case Verdict.Pass pass -> true;
          case Verdict.Fail fail -> {
            if (!fail.hangs().isEmpty()) {
              all.add(annotation(Annotation.Level.ERROR, BuildRules.HANG, fail.hangs()));
            }
            broken(report, fail, all);
            yield true;
          }
          case Verdict.NoData noData -> {
            all.add(annotation(Annotation.Level.NO_DATA, BuildRules.NO_DATA, noData.reasons()));
            yield false;
          }
        };
    List<String> warnings = GateWords.warnings(report.verdict());
    if (!warnings.isEmpty()) {
      all.add(annotation(Annotation.Level.WARNING, BuildRules.WARNING, warnings));
    }
    Set<Pin> said = Collections.newSetFromMap(new IdentityHashMap<>());
    all.forEach(annotation -> annotation.finding().ifPresent(said::add));
    for (AdviceEntry entry : report.advice().main()) {
      for (Advised advised : entry.advised()) {
        if (said.add(advised.finding())) {
          all.add(annotation(report, Annotation.Level.NOTE, advised.finding(), List.of()));
        }
      }
    }
    return new AnnotationList(tests(report.verdict(), told), all);
  }

  private static List<Tested> tests(Verdict verdict, boolean told) {
    List<Tested> tests = new ArrayList<>();
    for (Check check : verdict.checks()) {
      String figure = GateWords.figure(check);
      tests.add(
          tested(
              GateWords.limit(check),
              check.broken(),
              told,
              List.of(check.where().map(where -> figure + ": " + where).orElse(figure))));
    }
    Verdict.Basis basis = verdict.basis();
    if (!basis.allowances().isEmpty()) {
      tests.add(
          tested(
              "no allowance has expired",
              !basis.expired().isEmpty(),
              told,
              basis.expired().stream().map(expired -> GateWords.expired(expired).text()).toList()));
    }
    basis
        .difference()
        .ifPresent(
            difference ->
                tests.add(
                    tested(
                        "nothing new or worse than the baseline",
                        !basis.holds(),
                        told,
                        Stream.concat(
                                basis.broken().stream()
                                    .map(change -> GateWords.change(difference, change)),
                                otherChanges(basis).stream()
                                    .map(change -> GateWords.change(difference, change)))
                            .toList())));
    return tests;
  }

  private static Tested tested(String name, boolean broken, boolean told, List<String> lines) {
    Outcome outcome = broken ? Outcome.BROKEN : told ? Outcome.HOLDS : Outcome.UNTOLD;
    return new Tested(
        name,
        outcome,
        switch (outcome) {
          case HOLDS, BROKEN -> lines;
          case UNTOLD ->
              Stream.concat(Stream.of(BuildRules.NO_DATA.summary()), lines.stream()).toList();
        });
  }

  /**
   * Adds a remark for each finding that breaks something, and for each broken limit without a
   * finding.
   */
  private static void broken(BuildReport report, Verdict.Fail fail, List<Annotation> to) {
    IdentityHashMap<Pin, Set<String>> breaks = new IdentityHashMap<>();
    for (Check check : fail.violations()) {
      String figure = GateWords.figure(check);
      check.findings().forEach(by -> add(breaks, by, figure));
      if (check.findings().isEmpty()) {
        to.add(annotation(Annotation.Level.ERROR, BuildRules.of(check.measure()), List.of(figure)));
      }
    }
    for (Allowed expired : fail.basis().expired()) {
      String sentence = GateWords.expired(expired).text();
      expired.findings().forEach(by -> add(breaks, by, sentence));
      if (expired.findings().isEmpty()) {
        to.add(annotation(Annotation.Level.ERROR, BuildRules.EXPIRED, List.of(sentence)));
      }
    }
    for (Change change : fail.basis().broken()) {
      String sentence = GateWords.change(fail.basis().difference().orElseThrow(), change);
      Optional<Pin> finding = finding(report, change.identity());
      finding.ifPresent(by -> breaks.computeIfAbsent(by, f -> new LinkedHashSet<>()).add(sentence));
      if (finding.isEmpty()) {
        to.add(annotation(Annotation.Level.ERROR, BuildRules.CHANGED, List.of(sentence)));
      }
    }
    for (FindingChange change : otherChanges(fail.basis())) {
      to.add(
          new Annotation(
              Annotation.Level.ERROR,
              BuildRules.CHANGED,
              change.seen().identity(),
              BuildRules.CHANGED.summary(),
              List.of(GateWords.change(fail.basis().difference().orElseThrow(), change)),
              Optional.empty(),
              Optional.empty()));
    }
    for (Pin finding : report.findings().pins()) {
      if (breaks.containsKey(finding)) {
        to.add(
            annotation(report, Annotation.Level.ERROR, finding, List.copyOf(breaks.get(finding))));
      }
    }
  }

  /** Returns the changes of waits and misuse, if the policy fails for them. */
  private static List<FindingChange> otherChanges(Verdict.Basis basis) {
    return basis.othersFail() ? basis.others() : List.of();
  }

  private static void add(IdentityHashMap<Pin, Set<String>> breaks, Named by, String what) {
    breaks.computeIfAbsent(by.finding(), f -> new LinkedHashSet<>()).add(what);
  }

  private static Optional<Pin> finding(BuildReport report, Identity identity) {
    return report.findings().pins().stream()
        .filter(finding -> report.identities().of(finding).equals(identity))
        .findFirst();
  }

  private static Annotation annotation(Annotation.Level level, BuildRule rule, List<String> lines) {
    return new Annotation(
        level,
        rule,
        // The rule identifies it, because the figures in its text differ from run to run.
        new Identity(rule.id(), 1),
        rule.summary(),
        lines,
        Optional.empty(),
        Optional.empty());
  }

  private static Annotation annotation(
      BuildReport report, Annotation.Level level, Pin finding, List<String> breaks) {
    Advised advised = report.advice().of(finding);
    String title = FindingWords.title(finding);
    List<String> lines = new ArrayList<>();
    lines.add(
        title
            + " "
            + FindingWords.verdict(finding)
            + (breaks.isEmpty() ? "" : ": " + String.join("; ", breaks)));
    lines.addAll(FindingWords.lines(finding));
    lines.add(FindingWords.toDo(advised));
    return new Annotation(
        level,
        BuildRules.of(finding.site().kind()),
        report.identities().of(finding),
        title,
        lines,
        Optional.of(finding),
        Optional.of(advised));
  }
}
