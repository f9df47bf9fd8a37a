package vtdiag.gate;

import java.util.List;
import vtdiag.gate.Policy.Check;

/** What a gate decided. */
public sealed interface Verdict {

  /** Things the user should know of, one sentence each; none of them changes the verdict. */
  List<String> warnings();

  /** Every limit holds, and the recordings were able to show a violation. */
  record Pass(List<Check> checks, List<String> warnings) implements Verdict {
    public Pass {
      checks = List.copyOf(checks);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * At least one limit is broken, or the program hung; what the recordings do not show can only
   * make it worse.
   *
   * @param hangs what hung, one sentence each
   */
  record Fail(List<Check> checks, List<String> hangs, List<String> warnings) implements Verdict {
    public Fail {
      hangs = List.copyOf(hangs);
      checks = List.copyOf(checks);
      warnings = List.copyOf(warnings);
    }

    public List<Check> violations() {
      return checks.stream().filter(Check::broken).toList();
    }
  }

  /** No limit is seen broken, but the recordings could not have shown it. */
  record NoData(List<String> reasons, List<String> warnings) implements Verdict {
    public NoData {
      reasons = List.copyOf(reasons);
      warnings = List.copyOf(warnings);
    }
  }
}
