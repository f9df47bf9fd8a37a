package io.github.vtdiag.report.ci;

import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.gate.Measure;
import java.util.Locale;

/** The kinds of remarks with their texts. */
final class BuildRules {
  private static final String BEFORE_24 =
      " On Java 21 to 23 it blocks its carrier meanwhile, and other virtual threads cannot use it."
          + " On Java 24 and later monitors do not pin (JEP 491).";
  private static final String EVERY_JAVA =
      " It blocks its carrier meanwhile, on every Java, and other virtual threads cannot use it.";

  /** The program hung. */
  static final BuildRule HANG =
      new BuildRule(
          "hang",
          "The program hung",
          "Threads wait for each other or block all carriers, and none makes progress.",
          "Read docs/hangs.md.");

  /** An allowance has expired, and nothing pins at its site. */
  static final BuildRule EXPIRED =
      new BuildRule(
          "expired-allowance",
          "An allowance of the policy has expired",
          "The policy allowed this finding until a day that has passed.",
          "Free the site, or let its owner set another day: docs/gate.md.");

  /** A finding that is not a pin is new or worse. */
  static final BuildRule CHANGED =
      new BuildRule(
          "changed",
          "A finding is new or worse than in the baseline",
          "The policy accepts the findings of the baseline, within random variation.",
          "Check what has changed, or accept it with vtdiag baseline: docs/gate.md.");

  /** The recordings do not show whether the limits are kept. */
  static final BuildRule NO_DATA =
      new BuildRule(
          "no-data",
          "The recordings cannot tell",
          "No limit was exceeded in the recordings, but they could not have shown it.",
          "The table in docs/gate.md says what a recording needs to be taken for proof.");

  /** There is something that people should know, and nothing fails. */
  static final BuildRule WARNING =
      new BuildRule(
          "warning",
          "What the recordings do not show",
          "The verdict stands, but there may be more than the recordings show.",
          NO_DATA.help());

  private BuildRules() {}

  /** Returns the rule for a kind of pin. */
  static BuildRule of(PinKind kind) {
    String what = "A virtual thread " + kind.title();
    return new BuildRule(
        "pinned-" + id(kind),
        what,
        what + "." + where(kind),
        kind.advice() + ": " + kind.page() + ".");
  }

  private static String where(PinKind kind) {
    if (!kind.pinsSince24()) {
      return BEFORE_24;
    }
    return kind == PinKind.UNEXPLAINED
        ? " Other virtual threads cannot use the carrier meanwhile."
        : EVERY_JAVA;
  }

  /** Returns the rule for a broken limit that no finding explains. */
  static BuildRule of(Measure measure) {
    return new BuildRule(
        "limit-" + measure.id().toLowerCase(Locale.ROOT).replace('_', '-'),
        "A limit of the gate is exceeded: " + measure.text(),
        measure.description(),
        "docs/gate.md says what counts, docs/verdicts.md what to do.");
  }

  private static String id(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
