package io.github.vtdiag.hang;

import io.github.vtdiag.model.Figures;
import java.util.List;

/** Words for lost wake-ups. */
final class LostWakeUpWords {
  private LostWakeUpWords() {}

  static String statement(List<SeenThread> threads) {
    return Figures.count(threads.size(), "virtual thread")
        + (threads.size() == 1
            ? " waits though nothing keeps it"
            : " wait though nothing keeps them");
  }

  static String ends(List<SeenThread> threads) {
    return (threads.stream().allMatch(LostWakeUpWords::isWoken)
            ? "ends: now, because reading the stack makes the JDK look again; the JDK"
            : "ends: not by itself; the JDK")
        + " has lost a wake-up, and vtdiag analyze names the faults of"
        + " that kind which this Java is known to have";
  }

  /** Returns what each of the first threads waits for, and why that does not explain its wait. */
  static List<String> evidence(List<SeenThread> threads, int most) {
    return threads.stream()
        .limit(most)
        .map(
            thread ->
                WaitWords.who(thread)
                    + " "
                    + WaitWords.waits(thread)
                    + (isWoken(thread) ? ", and was woken" : ", which nobody holds")
                    + ": nothing in the program keeps it")
        .toList();
  }

  private static boolean isWoken(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.Park park
        && park.holder() instanceof LockHolder.Woken;
  }
}
