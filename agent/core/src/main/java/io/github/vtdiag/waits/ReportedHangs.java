package io.github.vtdiag.waits;

import io.github.vtdiag.model.HangPlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The hangs that were reported and had not ended. They explain stalls, which are not reported. */
public final class ReportedHangs {
  private final Set<String> methods = new HashSet<>();
  private final List<String> deadlocks = new ArrayList<>();

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
      deadlocks.addAll(lines);
    }
  }

  /** Returns whether these threads are in a hang, or wait for a lock of a deadlock. */
  public boolean explain(Stall stall) {
    return methods.contains(stall.method()) || isOfDeadlock(stall.lock());
  }

  private boolean isOfDeadlock(String lock) {
    if (lock.isEmpty() || deadlocks.isEmpty()) {
      return false;
    }
    // The evidence has no packages of the JDK, and the longer number is another object.
    String name = lock.substring(lock.lastIndexOf('.') + 1);
    Pattern object = Pattern.compile("(?<![\\w$])" + Pattern.quote(name) + "(?![0-9a-f])");
    return deadlocks.stream().anyMatch(line -> object.matcher(line).find());
  }
}
