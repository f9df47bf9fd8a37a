package samples;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A sample program that runs from the built jar in a JVM of its own. */
record Sample(String story, String variant) {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** What a run left. */
  record Run(int exitCode, String output, String errors) {}

  /** The Java versions that the stories speak of. */
  enum Java {
    JAVA_21("vtdiag.jdk21", "VTDIAG_JDK21"),
    JAVA_25("vtdiag.jdk25", "VTDIAG_JDK25");

    private final String property;
    private final String variable;

    Java(String property, String variable) {
      this.property = property;
      this.variable = variable;
    }

    private Path launcher() {
      String home = System.getProperty(property, System.getenv(variable));
      if (home == null && this == JAVA_25 && Runtime.version().feature() >= 25) {
        home = System.getProperty("java.home");
      }
      if (home == null) {
        fail("no home of " + this + ": set -D" + property + " or " + variable);
      }
      Path launcher = Path.of(home, "bin", "java");
      assertTrue(Files.isExecutable(launcher), () -> launcher + " is not there");
      return launcher;
    }

    @Override
    public String toString() {
      return this == JAVA_21 ? "Java 21" : "Java 25";
    }
  }

  String mainClass() {
    return "samples." + story + "." + variant;
  }

  /** The class path that the README gives. */
  String classPath() {
    String drivers = variant.equals("After") ? "lib-after" : "lib-before";
    return classPathWithoutDriver()
        + File.pathSeparator
        + TARGET.resolve(drivers).resolve(story).resolve("*");
  }

  static String classPathWithoutDriver() {
    return TARGET.resolve("vtdiag-samples.jar")
        + File.pathSeparator
        + TARGET.resolve("lib").resolve("*");
  }

  Run run(Java java, String classPath, List<String> options, Path folder)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Path errors = Files.createTempFile(folder, "errors", ".txt");
    var all = new ArrayList<>(options);
    all.addAll(List.of("-cp", classPath, mainClass(), "--threads", "16", "--seconds", "0.3"));
    Process process =
        builder(java, all).redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
    try {
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        fail(this + " hangs on " + java);
      }
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(output), Files.readString(errors));
  }

  static ProcessBuilder builder(Java java, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(java.launcher().toString());
    command.addAll(arguments);
    var builder = new ProcessBuilder(command);
    // Options that someone set for every JVM of this machine, and their notice on stderr.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    return builder;
  }

  @Override
  public String toString() {
    return story + " " + variant;
  }
}
