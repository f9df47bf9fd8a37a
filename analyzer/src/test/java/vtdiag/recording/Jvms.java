package vtdiag.recording;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** JVMs to run test programs in, and the recordings they make; each is made once. */
enum Jvms {
  JAVA_21("vtdiag.jdk21", "VTDIAG_JDK21", 21),
  JAVA_25("vtdiag.jdk25", "VTDIAG_JDK25", 25);

  private final String property;
  private final String variable;
  final int feature;

  Jvms(String property, String variable, int feature) {
    this.property = property;
    this.variable = variable;
    this.feature = feature;
  }

  Path java() {
    String home = System.getProperty(property, System.getenv(variable));
    if (home == null && Runtime.version().feature() == feature) {
      home = System.getProperty("java.home");
    }
    assumeTrue(home != null, "no Java " + feature + ": set " + variable);
    return Path.of(home, "bin", "java");
  }

  /** The command that runs {@link PinningProgram}. */
  List<String> command(String... options) {
    List<String> command = new ArrayList<>(List.of(java().toString(), "-cp", classPath()));
    command.addAll(List.of(options));
    return command;
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Makes a recording of the program. */
  synchronized Path record(String settings, String argument) throws Exception {
    Path file = directory().resolve("%d-%s-%s.jfr".formatted(feature, settings, argument));
    if (!Files.exists(file)) {
      Process process =
          new ProcessBuilder(
                  command(
                      "-XX:StartFlightRecording=filename=" + file + ",settings=" + settings,
                      "-Djdk.virtualThreadScheduler.parallelism=3",
                      PinningProgram.class.getName(),
                      argument))
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("the program failed: " + output);
      }
    }
    return file;
  }

  private static Path directory;

  private static synchronized Path directory() throws IOException {
    if (directory == null) {
      directory = Files.createTempDirectory("vtdiag-recordings");
      Path created = directory;
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    for (File file : created.toFile().listFiles()) {
                      file.delete();
                    }
                    created.toFile().delete();
                  }));
    }
    return directory;
  }
}
