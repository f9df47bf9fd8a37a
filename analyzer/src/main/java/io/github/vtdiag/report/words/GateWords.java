package io.github.vtdiag.report.words;

import static io.github.vtdiag.report.words.Phrase.Tone.BAD;
import static io.github.vtdiag.report.words.Phrase.Tone.NAME;

import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.FindingChange;
import io.github.vtdiag.gate.Scope;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.gate.Verdict.Allowed;
import io.github.vtdiag.gate.Verdict.Check;
import java.util.List;
import java.util.stream.Stream;

/** A gate verdict in words, part by part. */
public final class GateWords {
  private GateWords() {}

  /** Returns {@code longest pin 153 ms, limit 50 ms}. */
  public static String figure(Check check) {
    return check.measure().text()
        + of(check.scope())
        + " "
        + check.figure()
        + bound(check)
        + check.limit();
  }

  /** Returns {@code longest pin, limit 50 ms}: the same for any figure. */
  public static String limit(Check check) {
    return check.measure().text()
        + of(check.scope())
        + bound(check)
        // No figure goes with it: near one, the limit would be rounded differently.
        + check.measure().unit().text(check.of().value(), -1);
  }

  private static String bound(Check check) {
    return switch (check.measure().bound()) {
      case AT_MOST -> ", limit ";
      case AT_LEAST -> ", at least ";
    };
  }

  /** Returns the text for an allowance that has expired. */
  public static Phrase expired(Allowed expired) {
    return Phrase.of(BAD, "expired")
        .and(": ")
        .and(NAME, expired.allowance().site())
        .and(
            " was allowed until "
                + expired.allowance().expires()
                + "; "
                + expired.allowance().owner()
                + " owns it ("
                + expired.allowance().reason()
                + ")"
                + (expired.findings().isEmpty() ? ". Nothing pins there any more: remove it" : ""));
  }

  /**
   * Returns warnings that do not change the verdict, including waits and misuse that got worse,
   * unless the gate fails for them.
   */
  public static List<String> warnings(Verdict verdict) {
    Verdict.Basis basis = verdict.basis();
    return basis.othersFail()
        ? verdict.warnings()
        : Stream.concat(
                verdict.warnings().stream(),
                basis.others().stream()
                    .map(change -> change(basis.difference().orElseThrow(), change))
                    .map(words -> words + "; no pin, so nothing fails for it (others: false)"))
            .toList();
  }

  /**
   * Returns {@code new: waiting for a pool: HikariCP in com.example.Orders.find, 12 threads at a
   * time}.
   */
  public static String change(Difference difference, FindingChange change) {
    return FindingChangeWords.line(difference, change).text();
  }

  /** Returns {@code new: com.example.Db.execute, 12 pins, longest 80 ms}. */
  public static String change(Difference difference, Change change) {
    return ChangeWords.line(difference, change).text();
  }

  /** Returns the scope in parentheses; empty if it is all code. */
  private static String of(Scope scope) {
    return switch (scope) {
      case Scope.Everybody all -> "";
      case Scope.Application application -> " (application)";
      case Scope.Libraries libraries -> " (libraries)";
      case Scope.Jdk jdk -> " (JDK)";
      case Scope.InPackage in -> " (" + in.text() + ")";
      case Scope.Library library -> " (" + library.text() + ")";
    };
  }
}
