package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows of the timeline, of pins of which no event of the JDK tells. */
class CarrierRowsIT {
  private static final Path AGENT = Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath();
  private static final Path PROGRAMS = Jdks.projectFolder().resolve("agent/target/test-classes");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"JAVA_21,A row is not one carrier", "JAVA_25,A row is a carrier.<"})
  void aPinInNativeCodeIsInTheRowOfItsCarrier(Jdk jdk, String rows) throws Exception {
    Forked ran =
        Forked.java(
            jdk,
            folder,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            Forked.QUICK,
            "-javaagent:" + AGENT + "=output=a.jfr,warn=off",
            "-cp",
            PROGRAMS.toString(),
            "io.github.vtdiag.agent.programs.Keeps",
            "native");
    assertEquals(0, ran.exitCode(), ran.err());
    Forked report = CliJar.run(folder, "report", "a.jfr", "-o", "a.html");
    assertEquals(0, report.exitCode(), report.err());
    String page = Files.readString(folder.resolve("a.html"));
    assertTrue(page.contains("FileInputStream.open"), page);
    assertTrue(page.contains(rows), page);
  }
}
