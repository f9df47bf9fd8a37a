package io.github.vtdiag.program;

import java.util.List;

/** Main classes that start somebody else's code, which says nothing of whose that is. */
final class Launchers {
  private static final List<String> PREFIXES = NameList.beside(Launchers.class, "launchers.txt");

  private Launchers() {}

  static boolean has(String mainClass) {
    return PREFIXES.stream().anyMatch(mainClass::startsWith);
  }
}
