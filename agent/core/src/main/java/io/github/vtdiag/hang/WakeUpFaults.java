package io.github.vtdiag.hang;

import java.util.List;
import java.util.Map;

/**
 * The JDK versions that can lose a virtual thread that was woken. The command line's list of the
 * JDK's faults has the details; the agent needs only this table when it starts.
 */
public final class WakeUpFaults {
  /** The first feature release that has them. */
  private static final int SINCE = 25;

  /**
   * A fault of the JDK.
   *
   * @param fixedIn for each feature release that ever had it, the first update without it
   */
  private record Fault(String id, Map<Integer, Integer> fixedIn) {}

  private static final List<Fault> FAULTS =
      List.of(
          new Fault("JDK-8369227", Map.of(SINCE, 3, SINCE + 1, 1)),
          new Fault("JDK-8373120", Map.of(SINCE, 4, SINCE + 1, 2)));

  private WakeUpFaults() {}

  /** Returns the faults of a version; a vendor may have fixed one earlier. */
  public static List<String> faults(Runtime.Version version) {
    return FAULTS.stream()
        .filter(
            fault ->
                fault.fixedIn.containsKey(version.feature())
                    && version.interim() == 0
                    && version.update() < fault.fixedIn.get(version.feature()))
        .map(Fault::id)
        .toList();
  }
}
