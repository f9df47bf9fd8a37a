package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Fills;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The built agent where there is no heap. What the JVM itself prints then, of JFR's threads and of
 * its instrumentation library, is not the agent's.
 */
class OutOfMemoryIT {
  @TempDir Path folder;

  private Forked run(Jdk jdk, String way) throws Exception {
    Forked run =
        Forked.java(
            jdk,
            folder,
            "-Xmx24m",
            "-XX:+UseSerialGC",
            "-XX:FlightRecorderOptions:repository=" + folder.resolve("repository"),
            AgentJar.option("output=a.jfr,warn=300s"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Fills.class.getName(),
            way);
    assertEquals(7, run.exitCode(), run.err());
    assertFalse(run.err().contains("in thread \"vtdiag"), run.err());
    return run;
  }

  @ParameterizedTest
  @EitherJdk
  void oneLineSaysItAndWhereTheDataIs(Jdk jdk) throws Exception {
    Forked run = run(jdk, "keep");
    List<String> lines = AgentJar.said(run.err());
    assertEquals(1, lines.size(), run.err());
    String start =
        "[vtdiag] the JVM is out of memory: live warnings may stop here; if "
            + folder.resolve("a.jfr").toRealPath()
            + " stays empty, its data is in ";
    assertTrue(lines.getFirst().startsWith(start), run.err());
    Path repository = Path.of(lines.getFirst().substring(start.length()));
    try (var chunks = Files.list(repository)) {
      assertTrue(chunks.anyMatch(chunk -> chunk.toString().endsWith(".jfr")), repository::toString);
    }
  }

  @ParameterizedTest
  @EitherJdk
  void theRecordingGoesOn(Jdk jdk) throws Exception {
    Forked run = run(jdk, "free");
    assertEquals(1, run.err().split("out of memory", -1).length - 1, run.err());
    assertTrue(run.err().contains("[vtdiag] recording: "), run.err());
    String after = Fills.class.getName() + "$After";
    assertTrue(
        RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
            .filter(event -> event.getStackTrace() != null)
            .flatMap(event -> event.getStackTrace().getFrames().stream())
            .anyMatch(frame -> frame.getMethod().getType().getName().equals(after)));
  }
}
