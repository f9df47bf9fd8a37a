package io.github.vtdiag.report;

import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.FindingChange;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.gate.Verdict.Allowed;
import io.github.vtdiag.gate.Verdict.Check;
import java.util.List;
import java.util.stream.Stream;

/** What reports say of a verdict, for formats that have its parts one by one. */
public final class GateWords {
  private GateWords() {}

  /** {@code longest pin 153 ms, limit 50 ms}. */
  public static String figure(Check check) {
    return GateDocument.figure(check).text();
  }

  /** {@code longest pin, limit 50 ms}: the same for whatever figure. */
  public static String limit(Check check) {
    return check.measure().text()
        + GateDocument.of(check.scope())
        + switch (check.measure().bound()) {
          case AT_MOST -> ", limit ";
          case AT_LEAST -> ", at least ";
        }
        // Beside no figure, or a limit would be called otherwise where one is near.
        + check.measure().unit().text(check.of().value(), -1);
  }

  /** An allowance that is over. */
  public static String expired(Allowed expired) {
    return GateDocument.expired(expired).text();
  }

  /**
   * What people should know of a verdict, which changes nothing about it: what is no pin and has
   * become worse too, unless it fails for that.
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

  /** {@code new: waiting for a pool: HikariCP in com.example.Orders.find, 12 threads at a time}. */
  public static String change(Difference difference, FindingChange change) {
    return FindingChangeWords.line(difference, change).text();
  }

  /** {@code new: com.example.Db.execute, 12 pins, longest 80 ms}. */
  public static String change(Difference difference, Change change) {
    return ChangeWords.line(difference, change).text();
  }
}
