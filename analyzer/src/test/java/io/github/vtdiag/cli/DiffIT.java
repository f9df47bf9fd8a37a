package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import io.github.vtdiag.cli.programs.InSeries;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fix that frees the costliest monitor lets more requests reach the next one, which then pins
 * more often: the run is better all the same.
 */
class DiffIT {
  private static final Path AGENT = Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath();
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  @TempDir private Path folder;

  private void record(String how, String options) throws Exception {
    Forked ran =
        Forked.java(
            Jdk.JAVA_21,
            folder,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            Forked.QUICK,
            "-javaagent:" + AGENT + "=output=" + how + ".jfr" + options,
            "-cp",
            CLASSES,
            InSeries.class.getName(),
            how,
            "4000");
    assertEquals(0, ran.exitCode(), ran.err());
  }

  private String diff(String... more) throws Exception {
    String[] arguments = new String[5 + more.length];
    System.arraycopy(
        new String[] {"diff", "before.jfr", "fixed.jfr", "--classpath", CLASSES},
        0,
        arguments,
        0,
        5);
    System.arraycopy(more, 0, arguments, 5, more.length);
    Forked ran = CliJar.run(folder, arguments);
    assertEquals(0, ran.exitCode(), ran.err());
    return ran.out();
  }

  @Test
  void aRightFixIsBetterThoughTheNextMonitorPinsMore() throws Exception {
    record("before", "");
    record("fixed", "");
    String text = diff();
    assertTrue(text.contains("\nbetter  "), text);
    assertTrue(text.contains(" times the work in the same time; carrier time blocked for"), text);
    assertTrue(text.contains("  threads created a second: "), text);
    assertTrue(text.contains("gone: " + InSeries.class.getName() + ".quote, "), text);
    assertTrue(
        text.contains(
            "more work: "
                + InSeries.class.getName()
                + ".book, waits inside a synchronized block, pins "),
        text);
    JsonNode json = new ObjectMapper().readTree(diff("--json"));
    assertEquals("BETTER", json.path("verdict").asText());
    assertTrue(
        json.path("whole").path("work").path("perSecond").path("after").asDouble() > 1,
        json.toString());
    assertFalse(json.at("/whole/blockedSecondsPerWork").isNull(), json.toString());
    Validator.Result valid =
        new ValidatorFactory()
            .validate(Files.readString(Path.of("..", "docs", "diff.schema.json")), json.toString());
    assertTrue(valid.isValid(), () -> valid.getErrors().toString());
  }

  @Test
  void countedCallsTellTheWork() throws Exception {
    String count = ",count=" + InSeries.class.getName() + "#request,count-output=";
    record("before", count + "before.txt");
    record("fixed", count + "fixed.txt");
    String text = diff();
    assertTrue(text.contains("\nbetter  "), text);
    assertTrue(
        text.contains("  calls of " + InSeries.class.getName() + "#request a second: "), text);
    // The recording has all that the file has.
    String last = Files.readAllLines(folder.resolve("fixed.txt")).getLast();
    Forked baseline = CliJar.run(folder, "baseline", "fixed.jfr");
    assertEquals(
        Long.parseLong(last.split(" ", -1)[1]),
        new ObjectMapper()
            .readTree(baseline.out())
            .path("totals")
            .path("work")
            .path(InSeries.class.getName() + "#request")
            .asLong());
  }
}
