package io.github.vtdiag.report.words;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.findings.MisuseKind;
import java.util.List;
import java.util.Optional;

/**
 * The loops in which threads ran Java code only to ask again, if they took most of the time in
 * which carriers ran Java code.
 *
 * @param name the costliest loop
 * @param alone whether it is the only one
 */
record Spun(String name, boolean alone) {
  /** The least part of the time in Java code that is not called computation. */
  private static final double MOST = 0.5;

  static Optional<Spun> of(Findings findings) {
    List<Behavior> spinning =
        findings.behaviors().stream()
            .filter(behavior -> behavior.kind() == MisuseKind.SPINNING)
            .toList();
    double nanos = spinning.stream().mapToDouble(spin -> spin.seen().amount().value()).sum();
    return spinning.stream()
        .findFirst()
        .filter(spin -> nanos >= MOST * findings.account().share(Use.JAVA).nanos())
        .map(spin -> new Spun(spin.kind().name(spin.seen()), spinning.size() == 1));
  }

  String reason() {
    return "because threads spun in " + name + (alone ? "" : " and other loops");
  }
}
