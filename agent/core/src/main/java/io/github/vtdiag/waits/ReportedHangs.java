package io.github.vtdiag.waits;

import io.github.vtdiag.model.HangPlace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The hangs that were reported and had not ended. They explain stalls, which are not reported. */
public final class ReportedHangs {
  /** An object in the evidence: its class without the package, and its identity hash. */
  private static final Pattern OBJECT = Pattern.compile("[\\w$]+@[0-9a-f]+");

  private final Set<String> methods = new HashSet<>();

  /** The objects that the evidence on deadlocks names. */
  private final Set<String> objects = new HashSet<>();

  /**
   * Adds a hang.
   *
   * @param deadlock whether it cannot end by itself; then nothing releases the locks that it names
   * @param lines the verdict and the evidence
   */
  public void add(boolean deadlock, List<HangPlace> places, List<String> lines) {
    for (HangPlace place : places) {
      methods.add(place.method());
      if (deadlock && !place.caller().isEmpty()) {
        methods.add(place.caller());
      }
    }
    if (deadlock) {
      lines.stream()
          .flatMap(line -> OBJECT.matcher(line).results())
          .map(MatchResult::group)
          .forEach(objects::add);
    }
  }

  /** Returns whether these threads are in a hang, or wait for a lock of a deadlock. */
  public boolean explain(Stall stall) {
    String lock = stall.lock();
    return methods.contains(stall.method())
        || objects.contains(lock.substring(lock.lastIndexOf('.') + 1));
  }
}
