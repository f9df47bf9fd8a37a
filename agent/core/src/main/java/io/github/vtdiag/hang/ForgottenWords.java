package io.github.vtdiag.hang;

import io.github.vtdiag.model.Figures;
import java.util.ArrayList;
import java.util.List;

/** Threads that wait though nothing keeps them, in words. */
public final class ForgottenWords {
  private static final int THREADS = 4;

  private ForgottenWords() {}

  /** The verdict, the evidence and what ends it, a line each. */
  public static List<String> lines(List<SeenThread> threads) {
    List<String> lines = new ArrayList<>();
    boolean one = threads.size() == 1;
    lines.add(
        "forgotten: "
            + Figures.count(threads.size(), "virtual thread")
            + (one ? " waits though nothing keeps it" : " wait though nothing keeps them"));
    evidence(threads, THREADS).forEach(line -> lines.add("  " + line));
    lines.add(
        (threads.stream().allMatch(ForgottenWords::isWoken)
                ? "  ends: now, because reading the stack makes the JDK look again; the JDK"
                : "  ends: not by itself; the JDK")
            + " has lost a wake-up, and vtdiag analyze names the faults of"
            + " that kind which this Java is known to have");
    return lines;
  }

  /** What each of the first waits for, and why that is no reason. */
  static List<String> evidence(List<SeenThread> threads, int most) {
    return threads.stream()
        .limit(most)
        .map(
            thread ->
                DiagnosisWords.who(thread)
                    + " "
                    + DiagnosisWords.waits(thread)
                    + (isWoken(thread) ? ", and was woken" : ", which nobody holds")
                    + ": nothing in the program keeps it")
        .toList();
  }

  private static boolean isWoken(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.Park park
        && park.holder() instanceof LockHolder.Woken;
  }
}
