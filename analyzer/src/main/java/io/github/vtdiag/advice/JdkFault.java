package io.github.vtdiag.advice;

import io.github.vtdiag.hang.StuckState;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.upgrade.MavenVersion;
import java.util.List;
import java.util.Optional;

/**
 * A known fault of the JDK itself that looks like a hang of the program; one line of the list.
 *
 * @param id the id in the JDK's tracker
 * @param since the first feature release that has it
 * @param fixedIn the first version without it in each feature release that has one; all later
 *     feature releases are fixed, too
 * @param onlyWith the option without which it does not happen
 * @param state the state in which virtual threads are stuck
 * @param told how to distinguish it from a hang of the program, as a clause
 * @param confirmed whether there is more evidence than one report; otherwise the fault is named
 *     only where threads are stuck
 * @param evidence how this is known
 */
public record JdkFault(
    String id,
    int since,
    List<String> fixedIn,
    Optional<String> onlyWith,
    StuckState state,
    String told,
    boolean confirmed,
    String evidence) {
  public JdkFault {
    fixedIn = List.copyOf(fixedIn);
  }

  /**
   * Returns whether a version has the fault.
   *
   * @param jdkVersion such as {@code 25.0.1+8-LTS}
   */
  public boolean affects(String jdkVersion) {
    int feature = Events.feature(jdkVersion);
    if (feature < since) {
      return false;
    }
    return fixedIn(jdkVersion)
        .map(fix -> MavenVersion.compare(numbers(jdkVersion), fix) < 0)
        .orElseGet(() -> fixedIn.stream().noneMatch(fix -> isMainline(fix, feature)));
  }

  /** Returns the first version of the same feature release without the fault, if one is known. */
  public Optional<String> fixedIn(String jdkVersion) {
    return fixedIn.stream()
        .filter(fix -> Events.feature(fix) == Events.feature(jdkVersion))
        .findFirst();
  }

  /**
   * Returns whether later releases have the fix: one in a first release is in all that follow, one
   * in an update need not be.
   */
  private static boolean isMainline(String fix, int feature) {
    return fix.indexOf('.') < 0 && Events.feature(fix) <= feature;
  }

  private static String numbers(String jdkVersion) {
    return jdkVersion.replaceFirst("[^\\d.].*", "");
  }
}
