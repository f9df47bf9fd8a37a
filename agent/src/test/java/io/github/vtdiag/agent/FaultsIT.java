package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.ExitsDuringStart;
import io.github.vtdiag.agent.programs.Pins;
import io.github.vtdiag.agent.programs.StopsRecordings;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The built agent where something is wrong with JFR or its disk: the program goes on all the same.
 */
class FaultsIT {
  private static final String OVER =
      "[vtdiag] the recording ended before the program: what came later is not in it";

  @TempDir Path folder;

  private Forked run(Jdk jdk, String way, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.add(Forked.QUICK);
    all.addAll(List.of("-cp", AgentJar.PROGRAMS.toString(), StopsRecordings.class.getName(), way));
    Forked run = Forked.java(jdk, folder, all.toArray(String[]::new));
    assertEquals(7, run.exitCode(), run.err());
    assertEquals("virtual\ngoes on\n", run.out());
    return run;
  }

  private static List<String> lines(Forked run) {
    return run.err().lines().filter(line -> line.startsWith("[vtdiag]")).toList();
  }

  private void hasBeginning() throws Exception {
    assertTrue(
        RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
            .anyMatch(event -> event.getEventType().getName().equals(Events.AGENT)));
  }

  /** JFR would end the JVM where it cannot write. */
  @ParameterizedTest
  @EitherJdk
  void theRecordingEndsBeforeTheDiskIsFull(Jdk jdk) throws Exception {
    Forked run =
        run(
            jdk,
            "wait",
            "-Dvtdiag.mindisk=" + Long.MAX_VALUE,
            AgentJar.option("output=a.jfr,warn=off"));
    assertTrue(
        lines(run)
            .getFirst()
            .matches(
                ".* only \\d+ MB left on the disk of .*: the recording ends here, because JFR ends"
                    + " the JVM when that disk is full"),
        run.err());
    assertTrue(lines(run).contains(OVER), run.err());
    hasBeginning();
  }

  @ParameterizedTest
  @EnumSource
  void aTemporaryFolderThatCannotBeWrittenLosesNoRecording(Jdk jdk) throws Exception {
    Forked run =
        run(
            jdk,
            "go on",
            "-Djava.io.tmpdir=" + folder.resolve("none"),
            AgentJar.option("output=a.jfr,warn=off"));
    assertTrue(run.err().contains("none cannot be written: JFR keeps its data in "), run.err());
    assertFalse(run.err().contains("no summary"), run.err());
    hasBeginning();
  }

  /** JFR's own shutdown hook would end JFR first: nothing was recorded, or the JVM crashed. */
  @ParameterizedTest
  @EnumSource
  void anEndWhileTheRecordingStartsWaitsForIt(Jdk jdk) throws Exception {
    Forked run =
        Forked.java(
            jdk,
            folder,
            AgentJar.option("output=a.jfr,warn=off"),
            Forked.QUICK,
            "-cp",
            AgentJar.PROGRAMS.toString(),
            ExitsDuringStart.class.getName());
    assertEquals(7, run.exitCode(), run.err());
    assertEquals("ends\n", run.out());
    assertFalse(run.err().contains("ended before JFR had started"), run.err());
    hasBeginning();
  }

  /** A device on which no byte fits. */
  @ParameterizedTest
  @EitherJdk
  void aFullDiskIsTold(Jdk jdk) throws Exception {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full), "no /dev/full");
    // JFR logs on standard output that it cannot write.
    Forked run =
        Forked.java(
            jdk,
            folder,
            AgentJar.option("output=" + full + ",warn=off"),
            Forked.QUICK,
            "-cp",
            AgentJar.PROGRAMS.toString(),
            StopsRecordings.class.getName(),
            "go on");
    assertEquals(7, run.exitCode(), run.err());
    assertTrue(run.err().contains("could not be written whole; is its disk full?"), run.err());
    assertFalse(run.err().contains("next: vtdiag analyze"), run.err());
  }

  @ParameterizedTest
  @EitherJdk
  void theProgramMayStopTheRecording(Jdk jdk) throws Exception {
    Forked run = run(jdk, "stop", AgentJar.option("output=a.jfr,warn=off"));
    assertEquals(2, lines(run).size(), run.err());
    assertEquals(OVER, lines(run).getFirst());
    hasBeginning();
  }

  @ParameterizedTest
  @EitherJdk
  void theSecondOfUsDoesNothing(Jdk jdk) throws Exception {
    Forked run =
        run(
            jdk,
            "stop",
            AgentJar.option("output=a.jfr,warn=off"),
            AgentJar.option("output=b.jfr,warn=off"));
    assertEquals(
        "[vtdiag] vtdiag is already in this JVM; ignoring the second one", lines(run).getFirst());
    assertEquals(3, lines(run).size(), run.err());
    hasBeginning();
    assertFalse(Files.exists(folder.resolve("b.jfr")));
  }

  /** The option is deprecated, and no longer keeps anybody from recording. */
  @ParameterizedTest
  @EitherJdk
  void flightRecorderSwitchedOffIsNoObstacle(Jdk jdk) throws Exception {
    run(jdk, "stop", "-XX:-FlightRecorder", AgentJar.option("output=a.jfr,warn=off"));
    hasBeginning();
  }

  /**
   * Containers can have a root folder that is no mount point: the JDK's FileStore finds no disk
   * there.
   */
  @ParameterizedTest
  @EitherJdk
  void aRootFolderWithoutAMountEntryIsNoFault(Jdk jdk) throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    Path app = Files.createDirectories(root.resolve("app"));
    Files.copy(AgentJar.PATH, app.resolve("vtdiag.jar"));
    Path programs = AgentJar.PROGRAMS.resolve("io/github/vtdiag/agent/programs");
    Path to = Files.createDirectories(app.resolve("io/github/vtdiag/agent/programs"));
    try (DirectoryStream<Path> classes = Files.newDirectoryStream(programs, "Pins*.class")) {
      for (Path each : classes) {
        Files.copy(each, to.resolve(each.getFileName()));
      }
    }
    Path script = folder.resolve("chroot.sh");
    Files.writeString(
        script,
        """
        set -e
        for each in /*; do
          if [ -d "$each" ] && [ ! -L "$each" ] && [ "$each" != /tmp ]; then
            mkdir "$1$each" && mount --rbind "$each" "$1$each"
          elif [ -L "$each" ]; then
            cp -P "$each" "$1$each"
          fi
        done
        mkdir "$1/tmp"
        chroot "$1" "$2" -javaagent:/app/vtdiag.jar=output=/app/a.jfr,warn=off -cp /app "$3" block 1
        """);
    Forked run =
        Forked.run(
            folder,
            Map.of(),
            List.of(
                "unshare",
                "-m",
                "sh",
                script.toString(),
                root.toString(),
                jdk.java().toString(),
                Pins.class.getName()));
    Assumptions.assumeTrue(
        run.exitCode() == 0 || !run.err().contains("unshare: "),
        "NOT RUN: no mount namespace can be made here: " + run.err());
    assertEquals(0, run.exitCode(), run.err());
    assertFalse(run.err().contains("cannot see"), run.err());
    assertTrue(Files.size(app.resolve("a.jfr")) > 0);
  }
}
