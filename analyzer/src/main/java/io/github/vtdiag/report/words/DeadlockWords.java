package io.github.vtdiag.report.words;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Recommendation.Keep;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.findings.DeadlockRole;
import io.github.vtdiag.findings.HangStacks;
import io.github.vtdiag.hang.DiagnosisKind;
import java.util.Optional;

/** Advice on pins of threads in a deadlock, or behind one. */
public final class DeadlockWords {
  private DeadlockWords() {}

  /**
   * Returns the words before what an entry says to do, if its threads are in a deadlock: a change
   * of the lock leaves that.
   */
  public static String first(AdviceEntry entry, Findings findings) {
    if (!isInside(entry, findings)) {
      return "";
    }
    return entry.recommendation() instanceof Keep
        ? "break the deadlock first; "
        : "break the deadlock first, then ";
  }

  /** Returns that a change of the lock leaves a deadlock; empty if the threads are in none. */
  public static Optional<String> effect(AdviceEntry entry, Findings findings) {
    if (isInside(entry, findings)) {
      return Optional.of(
          "these threads are in the deadlock, which no other kind of lock breaks: "
              + DeadlockRole.BREAK);
    }
    return entry.findings().stream().anyMatch(finding -> mayBeBehind(finding, findings))
        ? Optional.of(
            "the recording ends in a deadlock, which may hold up these threads, and which no"
                + " other kind of lock breaks: "
                + DeadlockRole.BREAK)
        : Optional.empty();
  }

  private static boolean isInside(AdviceEntry entry, Findings findings) {
    return entry.findings().stream().anyMatch(finding -> isInside(finding, findings));
  }

  private static boolean isInside(Pin finding, Findings findings) {
    return finding.unended() > 0
        && findings.recordings().stream()
            .anyMatch(facts -> HangStacks.isInDeadlock(facts, finding.stack()));
  }

  private static boolean mayBeBehind(Pin finding, Findings findings) {
    return finding.unended() > 0
        && finding.site().kind() == PinKind.MONITOR_ENTRY
        && findings.recordings().stream().anyMatch(facts -> facts.endsIn(DiagnosisKind.LOCK_CYCLE));
  }
}
