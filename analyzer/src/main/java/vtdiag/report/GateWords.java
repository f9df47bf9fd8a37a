package vtdiag.report;

import vtdiag.baseline.Change;
import vtdiag.baseline.Difference;
import vtdiag.gate.Verdict.Allowed;
import vtdiag.gate.Verdict.Check;

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

  /** {@code new: com.example.Db.execute, 12 pins, longest 80 ms}. */
  public static String change(Difference difference, Change change) {
    return ChangeWords.line(difference, change).text();
  }
}
