package io.github.vtdiag.program;

import java.util.List;

/** The main classes that start other code, and do not show whose it is. */
final class Launchers {
  private static final List<String> PREFIXES = NameList.beside(Launchers.class, "launchers.txt");

  private Launchers() {}

  static boolean has(String mainClass) {
    return PREFIXES.stream().anyMatch(mainClass::startsWith);
  }
}
