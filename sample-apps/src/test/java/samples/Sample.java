package samples;

import static org.junit.jupiter.api.Assertions.fail;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
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

  /** Its main class, and how much it has to do. */
  List<String> command() {
    return List.of(mainClass(), "--threads", "16", "--seconds", "0.3");
  }

  Run run(Jdk jdk, String classPath, List<String> options, Path folder)
      throws IOException, InterruptedException {
    return run(jdk, classPath, options, command(), folder);
  }

  /** Runs a main class with its arguments. */
  static Run run(Jdk jdk, String classPath, List<String> options, List<String> program, Path folder)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Path errors = Files.createTempFile(folder, "errors", ".txt");
    var all = new ArrayList<>(options);
    all.addAll(List.of(Forked.QUICK, Forked.PATIENT, "-XX:+UseSerialGC"));
    all.addAll(List.of("-cp", classPath));
    all.addAll(program);
    Process process =
        builder(jdk, all).redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
    try {
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        fail(program + " hangs on " + jdk);
      }
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(output), Files.readString(errors));
  }

  static ProcessBuilder builder(Jdk jdk, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(jdk.java().toString());
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
