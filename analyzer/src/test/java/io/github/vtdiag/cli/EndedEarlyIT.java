package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.cli.programs.Ends;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Recordings that have, and such that do not have, the whole time of their program. */
final class EndedEarlyIT {
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  private static final String OVER = "the recording ended before the program";

  @TempDir private Path folder;

  private Forked record(Jdk jdk, String way, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(options));
    command.addAll(program(way, ""));
    Forked run = Forked.java(jdk, folder, command.toArray(String[]::new));
    assertEquals(0, run.exitCode(), run.err());
    return run;
  }

  private static List<String> program(String way, String more) throws Exception {
    return List.of(
        Forked.QUICK,
        "-javaagent:"
            + Path.of("..", "agent", "target", "vtdiag.jar").toRealPath()
            + "=output=app.jfr,maxsize=1,warn=off"
            + more,
        "-cp",
        CLASSES,
        Ends.class.getName(),
        way);
  }

  private Forked gate(String recording, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("gate", recording, "--max-pin", "1h"));
    command.addAll(List.of(options));
    return CliJar.run(folder, command.toArray(String[]::new));
  }

  /** Gate, report and, but for the last word, the summary at exit agree. */
  private void assertProvesNothing(String reason, Forked run, String said) throws Exception {
    Forked gated = gate("app.jfr");
    Forked allowed = gate("app.jfr", "--allow-incomplete", "--allow-unwatched");
    Forked analyzed = CliJar.run(folder, "analyze", "app.jfr");
    assertAll(
        () -> assertEquals(4, gated.exitCode(), gated::out),
        () -> assertTrue(gated.out().contains("app.jfr does not show " + reason), gated::out),
        () -> assertEquals(0, allowed.exitCode(), allowed::out),
        () -> assertTrue(joined(analyzed.out()).contains(reason), analyzed::out),
        () -> assertTrue(run.err().contains(said), run::err));
  }

  /** Without the breaks of lines. */
  private static String joined(String text) {
    return text.replaceAll("\\s+", " ");
  }

  private void assertPasses(String recording) throws Exception {
    Forked gated = gate(recording, "--allow-unwatched");
    assertEquals(0, gated.exitCode(), gated.out());
    Forked analyzed = CliJar.run(folder, "analyze", recording);
    assertFalse(joined(analyzed.out()).contains("the rest of the run"), analyzed.out());
    assertFalse(joined(analyzed.out()).contains("its first "), analyzed.out());
  }

  @ParameterizedTest
  @EitherJdk
  void oneThatSomebodyStoppedProvesNothing(Jdk jdk) throws Exception {
    Forked run = record(jdk, "stop");
    assertProvesNothing("the rest of the run: somebody stopped the recording after", run, OVER);
  }

  @ParameterizedTest
  @EitherJdk
  void oneThatSomebodyClosedProvesNothing(Jdk jdk) throws Exception {
    Forked run = record(jdk, "close");
    assertProvesNothing("the rest of the run: somebody stopped the recording after", run, OVER);
  }

  @ParameterizedTest
  @EitherJdk
  void oneThatEndedBecauseItsDiskWasFullProvesNothing(Jdk jdk) throws Exception {
    Forked run = record(jdk, "full", "-Dvtdiag.mindisk=" + Long.MAX_VALUE);
    assertProvesNothing("the rest of the run: the recording ended after", run, OVER);
  }

  @ParameterizedTest
  @EitherJdk
  void oneThatLostItsBeginningProvesNothing(Jdk jdk) throws Exception {
    Forked run = record(jdk, "drop");
    assertProvesNothing("its first ", run, "what was recorded first is not in it any more");
  }

  /** JFR takes a second to start, and on an overloaded machine more than anybody waits. */
  @ParameterizedTest
  @EitherJdk
  void oneThatBeganAfterTheFirstVirtualThreadProvesNothing(Jdk jdk) throws Exception {
    List<String> command = new ArrayList<>(List.of(jdk.java().toString()));
    command.addAll(program("late", ",wait=0"));
    Forked run = Forked.run(folder, Map.of(), command);
    assertEquals(0, run.exitCode(), run.err());
    assertProvesNothing(
        "the beginning of the run: its first virtual threads ran before JFR had started",
        run,
        "the recording had not started when the first virtual thread did: early pins may be");
  }

  @ParameterizedTest
  @EitherJdk
  void oneThatEndedWithTheProgramIsWhole(Jdk jdk) throws Exception {
    Forked run = record(jdk, "exit");
    assertPasses("app.jfr");
    assertFalse(run.err().contains(OVER) || run.err().contains("any more"), run.err());
  }

  @ParameterizedTest
  @EitherJdk
  void aDumpOfAProgramThatWentOnIsWhatWasWanted(Jdk jdk) throws Exception {
    record(jdk, "dump");
    assertPasses("dump.jfr");
  }

  /** It began later than the agent's, and was stopped while that went on. */
  @ParameterizedTest
  @EitherJdk
  void theRecordingOfSomebodyElseIsWhatWasWanted(Jdk jdk) throws Exception {
    Forked run = record(jdk, "another");
    assertPasses("other.jfr");
    assertPasses("app.jfr");
    assertFalse(run.err().contains(OVER) || run.err().contains("any more"), run.err());
  }
}
