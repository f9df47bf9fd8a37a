package io.github.vtdiag.owner;

import io.github.vtdiag.model.Launch;
import java.util.List;

/** The main classes that start other code, and do not show whose it is. */
public final class Launchers {
  /** The jar that Maven's Surefire and Failsafe make for one run of tests, and delete. */
  private static final String OF_TESTS = "surefirebooter";

  private static final List<String> PREFIXES = NameList.beside(Launchers.class, "launchers.txt");

  private Launchers() {}

  /**
   * Returns whether a program can be started again by the same command: a build or an IDE that
   * starts tests takes away what it had put there for them.
   */
  public static boolean canBeRepeated(Launch launch) {
    return !launch.jarName().startsWith(OF_TESTS) && !has(launch.mainClass());
  }

  static boolean has(String mainClass) {
    return PREFIXES.stream().anyMatch(mainClass::startsWith);
  }
}
