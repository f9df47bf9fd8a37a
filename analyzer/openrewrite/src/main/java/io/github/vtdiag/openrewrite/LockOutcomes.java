package io.github.vtdiag.openrewrite;

import org.openrewrite.Column;
import org.openrewrite.DataTable;
import org.openrewrite.Recipe;

/** The table of what became of each lock. */
public final class LockOutcomes extends DataTable<LockOutcomes.Row> {

  /** Creates the table of a recipe. */
  public LockOutcomes(Recipe recipe) {
    super(
        recipe,
        "Locks that moved or stayed",
        "The monitors at the recipe's sites: those that became a `ReentrantLock`, and those that"
            + " stay, each with the reason.");
  }

  /** A lock, or a sentence about the run. */
  public static final class Row {
    @Column(displayName = "Lock", description = "The lock, or the methods that take it.")
    private final String lock;

    @Column(displayName = "Outcome", description = "MOVED, STAYS, or NOTE for a remark on the run.")
    private final String outcome;

    @Column(displayName = "Rule", description = "The rule that keeps the monitor.")
    private final String rule;

    @Column(displayName = "Reason", description = "The reason, in one sentence.")
    private final String reason;

    Row(String lock, String outcome, String rule, String reason) {
      this.lock = lock;
      this.outcome = outcome;
      this.rule = rule;
      this.reason = reason;
    }

    /** Returns the lock, or the methods that take it. */
    public String getLock() {
      return lock;
    }

    /** Returns what became of it. */
    public String getOutcome() {
      return outcome;
    }

    /** Returns the rule that keeps it; empty if it moved. */
    public String getRule() {
      return rule;
    }

    /** Returns the reason; empty if it moved. */
    public String getReason() {
      return reason;
    }
  }
}
