package samples.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.findings.MisuseKind;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each program does badly is found, with the place in it, in the recording of the agent; of
 * its twin nothing is said.
 */
@Order(2)
class UsageIT {
  /** Of each, what is found and the method where it is. */
  record Bad(String program, MisuseKind kind, String method) {
    boolean isAt(String place) {
      return place.startsWith("samples.usage." + method);
    }

    @Override
    public String toString() {
      return program;
    }
  }

  private static final List<Bad> BAD =
      List.of(
          new Bad("Computing", MisuseKind.MONOPOLIZED_CARRIERS, "Computing."),
          new Bad("Spinning", MisuseKind.SPINNING, "Spinning.take"),
          new Bad("FileForcing", MisuseKind.FILE_IO, "FileForcing.append"),
          new Bad("Names", MisuseKind.NAME_LOOKUP, "Names.lookUp"),
          // Shorter than what the watch tells of as a pin.
          new Bad("NativeCalls", MisuseKind.NATIVE_CALL, "NativeCalls."),
          new Bad("Processes", MisuseKind.PROCESS_START, "Processes.begin"),
          new Bad("PooledThreads", MisuseKind.POOLED_THREADS, "PooledThreads.lambda$main$0"),
          new Bad("ThreadBuffers", MisuseKind.THREAD_LOCAL_CACHE, "ThreadBuffers.serve"),
          new Bad("Backlog", MisuseKind.NO_BACKPRESSURE, "Backlog.request"),
          new Bad("RefusedThreads", MisuseKind.SUBMIT_FAILED, "RefusedThreads.main"));

  /** Kinds that say of a program that it uses threads or carriers badly. */
  private static final Set<MisuseKind> KINDS =
      EnumSet.of(
          MisuseKind.MONOPOLIZED_CARRIERS,
          MisuseKind.SPINNING,
          MisuseKind.FILE_IO,
          MisuseKind.NATIVE_CALL,
          MisuseKind.NAME_LOOKUP,
          MisuseKind.PROCESS_START,
          MisuseKind.POOLED_THREADS,
          MisuseKind.THREAD_LOCAL_CACHE,
          MisuseKind.NO_BACKPRESSURE,
          MisuseKind.SUBMIT_FAILED);

  private static final int SECONDS = 3;

  /** It takes some looks, one a second, to see that something grows. */
  private static final int LOOKS = 6;

  private static final int MOST_SECONDS = 40;
  private static final int LONGER = 4;

  @TempDir static Path folder;

  static Stream<Arguments> programs() {
    return BAD.stream()
        .flatMap(bad -> EitherJdk.Choice.of(bad.program).map(jdk -> Arguments.of(bad, jdk)));
  }

  static Stream<Arguments> twins() {
    return Stream.concat(BAD.stream().map(Bad::program), Stream.of("Healthy"))
        .flatMap(program -> EitherJdk.Choice.of(program).map(jdk -> Arguments.of(program, jdk)));
  }

  private static String key(String program, Jdk jdk, boolean healthy) {
    return program + "-" + jdk.name() + (healthy ? "-twin" : "");
  }

  /**
   * On a machine that is busy with other things the agent may have been unable to look, or the
   * program to do much: then it runs for longer.
   */
  private static List<Behavior> found(String program, Jdk jdk, boolean healthy) throws Exception {
    int seconds = program.equals("Backlog") ? LOOKS : SECONDS;
    Findings findings = findings(program, jdk, healthy, seconds);
    while (!healthy
        && !(couldLook(findings) && isFound(program, findings.behaviors()))
        && seconds < MOST_SECONDS) {
      seconds *= LONGER;
      findings = findings(program, jdk, false, seconds);
    }
    return findings.behaviors();
  }

  private static boolean isFound(String program, List<Behavior> found) {
    return BAD.stream()
        .filter(bad -> bad.program.equals(program))
        .allMatch(bad -> places(bad, found).anyMatch(bad::isAt));
  }

  private static Stream<String> places(Bad bad, List<Behavior> found) {
    return found.stream()
        .filter(other -> other.kind() == bad.kind)
        .map(other -> other.seen().site().map(site -> site.qualifiedMethod()).orElse("nowhere"));
  }

  private static boolean couldLook(Findings findings) {
    return findings.account().part(Use.UNKNOWN) < 1.0 / LONGER;
  }

  private static Findings findings(String program, Jdk jdk, boolean healthy, int seconds)
      throws Exception {
    Path recording = folder.resolve(key(program, jdk, healthy) + ".jfr");
    Path samples = Jdks.projectFolder().resolve("sample-apps/target");
    // As an application has them: a jar with coordinates would be a library.
    Path classes = samples.resolve("classes");
    Forked run =
        Forked.java(
            jdk,
            folder,
            "-javaagent:"
                + Jdks.projectFolder().resolve("agent/target/vtdiag.jar")
                + "=output="
                + recording,
            "-Djava.io.tmpdir=" + folder,
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dseconds=" + seconds,
            "-Dpatience=40",
            // For the one with a scheduler of its own.
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Dhealthy=" + healthy,
            "-cp",
            classes + File.pathSeparator + samples.resolve("lib").resolve("*"),
            "samples.usage." + program);
    assertEquals(0, run.exitCode(), run::err);
    return new Pipeline(List.of(classes.toString()), Optional.empty())
        .findings(
            List.of(new Input(recording.toString(), List.of(recording))),
            TimeRange.ALL,
            note -> {},
            bytes -> {});
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("programs")
  void whatIsBadIsFound(Bad bad, Jdk jdk) throws Exception {
    List<Behavior> found = found(bad.program, jdk, false);
    assertTrue(places(bad, found).anyMatch(bad::isAt), () -> text(found));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("twins")
  void ofATwinNothingIsSaid(String program, Jdk jdk) throws Exception {
    List<Behavior> found = new ArrayList<>(found(program, jdk, true));
    found.removeIf(other -> !KINDS.contains(other.kind()));
    assertEquals("", text(found));
  }

  private static String text(List<Behavior> found) {
    return found.stream().map(Behavior::toString).collect(Collectors.joining("\n"));
  }
}
