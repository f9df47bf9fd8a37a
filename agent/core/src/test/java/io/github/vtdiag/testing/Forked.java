package io.github.vtdiag.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that ran to its end in a process of its own. */
public record Forked(int exitCode, String out, String err) {
  /** Far more than any program here needs; one that hangs is killed and fails its test. */
  private static final long PATIENCE_SECONDS = 300;

  /**
   * An option for programs that live for a second or two. HotSpot's second compiler takes nearly as
   * much of the processors then as all the rest, for code that is about to end. With {@code -Pfull}
   * they run as anybody runs them.
   */
  public static final String QUICK =
      Boolean.getBoolean("vtdiag.full") ? "-XX:+TieredCompilation" : "-XX:TieredStopAtLevel=1";

  /**
   * An option by which the program waits as long as it takes until the agent records, and sums up.
   */
  public static final String PATIENT = "-Dvtdiag.patience=" + PATIENCE_SECONDS;

  /**
   * What stands before {@code java} where a program computes for seconds: on one processor, so that
   * it takes half of them at most from the other tests, however many threads compute.
   */
  public static final List<String> ON_ONE_PROCESSOR = List.of("taskset", "-c", "0");

  /** Runs {@code java} of a JDK with these arguments, and {@link #PATIENT}. */
  public static Forked java(Jdk jdk, Path folder, String... arguments)
      throws IOException, InterruptedException {
    return java(jdk, folder, Map.of(), arguments);
  }

  /** The same with more environment variables. */
  public static Forked java(
      Jdk jdk, Path folder, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(jdk.java().toString());
    command.add(PATIENT);
    command.addAll(Arrays.asList(arguments));
    return run(folder, environment, command);
  }

  /** Runs any command. */
  public static Forked run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new IllegalStateException(
          "killed after " + PATIENCE_SECONDS + " s: " + command + "\n" + Files.readString(err));
    }
    Forked result =
        new Forked(
            process.exitValue(),
            Files.readString(out, StandardCharsets.UTF_8),
            Files.readString(err, StandardCharsets.UTF_8));
    Files.delete(out);
    Files.delete(err);
    return result;
  }
}
