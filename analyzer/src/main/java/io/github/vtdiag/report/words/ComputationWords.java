package io.github.vtdiag.report.words;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.pin.GcPause;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.Optional;

/** The words for carriers that ran Java code, or would have if nothing had kept them from it. */
final class ComputationWords {
  /** The part of the time from which on a pause of all threads explains what they did. */
  private static final double LONG = 0.5;

  /** The part of the carriers' time without a processor from which on that is worth a sentence. */
  private static final double SOME = 0.05;

  /** The part of it from which on the lack of processors is the reason. */
  private static final double MUCH = 0.25;

  /** The part of the time of threads that could run from which on it is the reason, too. */
  private static final double MOST = 0.5;

  private ComputationWords() {}

  /** Returns why the carriers were the bottleneck: {@code because threads computed}. */
  static String reason(Findings findings) {
    if (isStoppedForLong(findings)) {
      return "because the garbage collector stopped all threads";
    }
    return isStarved(findings.account())
        ? "because threads that could run got no processor for at least "
            + Figures.percent(findings.account().partWithoutProcessor())
            + " of the carriers' time"
        : Spun.of(findings).map(Spun::reason).orElse("because threads computed");
  }

  /** Returns the use of the carriers then: {@code running Java code}. */
  static String use(Findings findings) {
    return isStoppedForLong(findings) || isStarved(findings.account())
        ? "carrying threads that could run"
        : "running Java code";
  }

  /** Returns a sentence if threads on carriers waited for a processor; empty if hardly any did. */
  static String withoutProcessor(Account account) {
    if (account.partWithoutProcessor() < SOME) {
      return "";
    }
    return " During at least "
        + Figures.percent(account.partWithoutProcessor())
        + " of it, runnable threads got no processor"
        + (isStarved(account)
            ? ": look for other processes, other threads of this one, and a CPU limit first."
            : ".");
  }

  private static boolean isStarved(Account account) {
    return account.partWithoutProcessor() >= MUCH
        || (account.partWithoutProcessor() >= SOME
            && account.partWithoutProcessor() >= MOST * account.part(Use.JAVA));
  }

  /** Returns a sentence if garbage collection stopped all threads for much of the time. */
  static Optional<String> pauses(Findings findings) {
    return GcPause.told(paused(findings), duration(findings))
        .map(told -> "The " + told + ": look at the heap first.");
  }

  private static long paused(Findings findings) {
    return findings.recordings().stream().mapToLong(RecordingFacts::gcPauseNanos).sum();
  }

  private static long duration(Findings findings) {
    return findings.recordings().stream().mapToLong(RecordingFacts::programNanos).sum();
  }

  /** Returns whether threads that seemed to run were stopped for most of the time. */
  private static boolean isStoppedForLong(Findings findings) {
    return paused(findings) >= LONG * duration(findings) && paused(findings) > 0;
  }
}
