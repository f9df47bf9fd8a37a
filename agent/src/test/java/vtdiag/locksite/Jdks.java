package vtdiag.locksite;

import java.nio.file.Path;

/** The Java homes that tests fork. */
final class Jdks {
  private Jdks() {}

  static Path home21() {
    return home("vtdiag.jdk21", "VTDIAG_JDK21", "");
  }

  static Path home25() {
    return home("vtdiag.jdk25", "VTDIAG_JDK25", System.getProperty("java.home"));
  }

  private static Path home(String property, String variable, String fallback) {
    String home = System.getProperty(property, System.getenv().getOrDefault(variable, fallback));
    if (home.isEmpty()) {
      throw new IllegalStateException(
          "set -D" + property + " or " + variable + " to the home of such a Java");
    }
    return Path.of(home);
  }
}
