package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.cli.programs.Collects;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** A program that its garbage collector keeps from running is told so. */
class GcPausesIT {
  private static final Path AGENT = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");
  private static final String STOPPED = "garbage collector stopped all threads for ";

  @TempDir private Path folder;

  private Forked run(Jdk jdk, String heap, int live, int restMillis) throws Exception {
    Forked ran =
        Forked.java(
            jdk,
            folder,
            Forked.QUICK,
            "-XX:+UseSerialGC",
            heap,
            "-javaagent:" + AGENT + "=output=a.jfr,warn=off",
            "-cp",
            Path.of("target", "test-classes").toAbsolutePath().toString(),
            Collects.class.getName(),
            Integer.toString(live),
            "3",
            Integer.toString(restMillis));
    assertEquals(0, ran.exitCode(), ran.err());
    return ran;
  }

  private static double percent(String text) {
    Matcher matcher = Pattern.compile(STOPPED + "([0-9.]+)% of the time").matcher(text);
    assertTrue(matcher.find(), text);
    return Double.parseDouble(matcher.group(1));
  }

  @ParameterizedTest
  @EitherJdk
  void theReportAndTheSummarySayHowMuchOfTheTime(Jdk jdk) throws Exception {
    Forked ran = run(jdk, "-Xmx100m", 80, 0);
    Forked report = CliJar.run(folder, "analyze", "a.jfr");
    assertEquals(0, report.exitCode(), report.err());
    assertEquals(percent(report.out()), percent(ran.err()), 10, report.out() + ran.err());
  }

  @ParameterizedTest
  @EitherJdk
  void ofAFewShortPausesNothingIsSaid(Jdk jdk) throws Exception {
    Forked ran = run(jdk, "-Xmx500m", 1, 1);
    Forked report = CliJar.run(folder, "analyze", "a.jfr");
    assertAll(
        () -> assertFalse(report.out().contains(STOPPED), report.out()),
        () -> assertFalse(ran.err().contains(STOPPED), ran.err()),
        () -> assertTrue(report.out().contains("Carrier time: "), report.out()));
  }
}
