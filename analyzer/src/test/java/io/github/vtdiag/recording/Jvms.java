package io.github.vtdiag.recording;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.vtdiag.testing.Jdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** JVMs to run test programs in, and the recordings they make; each is made once. */
public enum Jvms {
  JAVA_21(Jdk.JAVA_21, 21),
  JAVA_25(Jdk.JAVA_25, 25);

  private final Jdk jdk;
  final int feature;

  Jvms(Jdk jdk, int feature) {
    this.jdk = jdk;
    this.feature = feature;
  }

  /** The command that runs {@link PinningProgram}. */
  List<String> command(String... options) {
    List<String> command = new ArrayList<>(List.of(jdk.java().toString(), "-cp", classPath()));
    command.addAll(List.of(options));
    return command;
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Makes a recording of the program. */
  public synchronized Path record(String settings, String argument) throws Exception {
    Path file = directory().resolve("%d-%s-%s.jfr".formatted(feature, settings, argument));
    // Asked every time, so that a test of a recording made before counts for its JDK too.
    List<String> command =
        command(
            "-XX:StartFlightRecording=filename=" + file + ",settings=" + settings,
            "-Djdk.virtualThreadScheduler.parallelism=3",
            PinningProgram.class.getName(),
            argument);
    if (!Files.exists(file)) {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
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
