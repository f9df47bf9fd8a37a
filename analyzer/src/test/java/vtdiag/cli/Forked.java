package vtdiag.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs a program to its end and keeps what it printed. */
record Forked(int code, String out, String err) {
  /** The jar that the build made; the integration tests run from the module's folder. */
  static final Path CLI_JAR = Path.of("target", "vtdiag-cli.jar").toAbsolutePath();

  static Forked run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    int code = builder.start().waitFor();
    return new Forked(
        code,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  /** Runs the built command line on the Java that runs the tests. */
  static Forked vtdiag(Path folder, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(java(jdk25()), "-jar", CLI_JAR.toString()));
    command.addAll(List.of(arguments));
    return run(folder, Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), command);
  }

  static String java(Path home) {
    return home.resolve("bin").resolve("java").toString();
  }

  static Path jdk21() {
    String home = System.getProperty("vtdiag.jdk21", System.getenv("VTDIAG_JDK21"));
    if (home == null) {
      throw new IllegalStateException("set VTDIAG_JDK21 to the home of a Java 21");
    }
    return Path.of(home);
  }

  static Path jdk25() {
    String named = System.getProperty("vtdiag.jdk25", System.getenv("VTDIAG_JDK25"));
    return Path.of(named == null ? System.getProperty("java.home") : named);
  }
}
