package io.github.vtdiag.advice;

import io.github.vtdiag.hang.StuckState;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.upgrade.MavenVersion;
import java.util.List;
import java.util.Optional;

/**
 * One line of the known faults: a fault of the JDK itself that looks like a hang of the program.
 *
 * @param id what the JDK's tracker calls it
 * @param since the first feature release that has it
 * @param fixedIn the first version without it of each feature release that has one; so have all
 *     later feature releases
 * @param onlyWith the option without which it does not happen
 * @param state in which virtual threads stay for ever
 * @param told how it is told from a hang of the program, as a clause
 * @param evidence how this is known
 */
public record JdkFault(
    String id,
    int since,
    List<String> fixedIn,
    Optional<String> onlyWith,
    StuckState state,
    String told,
    String evidence) {
  private static final String ONE_REPORT = "one report: ";

  public JdkFault {
    fixedIn = List.copyOf(fixedIn);
  }

  /**
   * Whether that version has it.
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

  /**
   * Whether more is known than what one report says: else it is named where threads stand still.
   */
  public boolean isConfirmed() {
    return !evidence.startsWith(ONE_REPORT);
  }

  /** The first version of the same feature release that does not have it, if one is known. */
  public Optional<String> fixedIn(String jdkVersion) {
    return fixedIn.stream()
        .filter(fix -> Events.feature(fix) == Events.feature(jdkVersion))
        .findFirst();
  }

  /** A fix in a first release is in all that follow; one in an update need not be. */
  private static boolean isMainline(String fix, int feature) {
    return fix.indexOf('.') < 0 && Events.feature(fix) <= feature;
  }

  private static String numbers(String jdkVersion) {
    return jdkVersion.replaceFirst("[^\\d.].*", "");
  }
}
