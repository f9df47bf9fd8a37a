package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.vtdiag.cli.programs.Counts;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import whatif.OwnLocks;

/** Programs that print what they did, those that go wrong first. */
@Order(1)
final class CompareIT extends Comparing {
  private Forked printed(Jdk jdk, String options, String... program) throws Exception {
    List<String> arguments = compare(jdk, "--pairs 2 " + options);
    arguments.add(Counts.class.getName());
    arguments.addAll(List.of(program));
    return run(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no number|--timeout 1m|printed no number of operations|no number",
        "5 operations|--operations done:(\\d+)|printed no number of operations|5 operations",
        "5 operations|--java-options-after -Dfail=true|(with the change) ended with exit code 9|5"
            + " op"
      })
  void aProgramThatGoesWrongIsASentenceAndTheEndOfItsOutput(
      String prints, String options, String sentence, String end) throws Exception {
    String change = options.contains("after") ? "" : " --java-options-after -Dx";
    assertRefused(printed(Jdk.JAVA_21, options + change, prints), sentence, end);
  }

  @Test
  void aProgramThatDoesNotEndIsEnded() throws Exception {
    Forked refused =
        printed(
            Jdk.JAVA_21, "--timeout 15s --java-options-after -Dx", "5 operations", "1000000000");
    assertRefused(refused, "did not finish within 15 s", "5 operations");
  }

  @Test
  void aJavaThatIsNotThereIsToldBeforeAnythingRuns() throws Exception {
    Forked refused = printed(Jdk.JAVA_21, "--jdk-after none", "5 operations");
    assertRefused(refused, "cannot run", "--jdk-after");
  }

  @Test
  void aJvmThatRefusesItsOptionsIsQuoted() throws Exception {
    Forked refused = printed(Jdk.JAVA_21, "--java-options-after -XX:+NoSuchOption", "5 operations");
    assertRefused(refused, "(with the change) ended with exit code 1", "NoSuchOption");
  }

  @Test
  void aProgramThatCountsIsMeasured() throws Exception {
    Forked text =
        printed(Jdk.JAVA_21, "--java-options-after -Dx -v -o report.txt", "did 1,000 operations");
    assertEquals(0, text.exitCode(), text.err());
    assertEquals("", text.out());
    assertTrue(text.err().contains("run 4 of 4"), text.err());
    String report = Files.readString(folder.resolve("report.txt"));
    assertTrue(
        report.matches(
            "(?s)(FASTER|NO DIFFERENCE|SLOWER|NOT ENOUGH EVIDENCE)  .* over 2 pairs\n.*"),
        report);
    assertTrue(report.contains("change: --java-options-after -Dx\n"), report);

    Forked markdown =
        printed(Jdk.JAVA_21, "--java-options-after -Dx --format markdown --no-record", "77 ops/s");
    assertEquals(0, markdown.exitCode(), markdown.err());
    // The same on both sides, whatever the machine does.
    assertTrue(
        markdown
            .out()
            .startsWith(
                "## Comparison\n\n"
                    + "**NO DIFFERENCE**: 1.00 times the throughput, 95% interval 1.00 to 1.00 over"
                    + " 2 pairs\n"),
        markdown.out());
    assertTrue(
        markdown.out().contains("| throughput | 77.0/s | 77.0/s | 1.00 | 1.00 to 1.00 |\n"),
        markdown.out());
  }

  @Test
  void eachOperationHasItsOwnVerdictAndNoneIsAFigure() throws Exception {
    List<String> arguments =
        compare(Jdk.JAVA_21, "--pairs 3 --no-record --java-options-after -Dfigure=19596");
    int end = arguments.indexOf("--");
    arguments.addAll(
        end,
        List.of(
            "--operations", "shared=(\\d+) ops/s, ", "--operations", "unrelated=, (\\d+) ops/s"));
    arguments.addAll(List.of(Counts.class.getName(), "98 ops/s, FIGURE ops/s"));
    Forked text = run(arguments);
    assertEquals(0, text.exitCode(), text.err());
    assertTrue(
        text.out()
            .matches(
                "(?s)NO DIFFERENCE  shared: 1.00 times the throughput, 95% interval 1.00 to 1.00"
                    + " over 3 pairs\nFASTER         unrelated: none before, 19,596/s after; at"
                    + " least [\\d,.]+ times the throughput \\(95%\\) over 3 pairs\n  In short:"
                    + " unrelated is faster, shared is unchanged.\n.*"),
        text.out());
    arguments.add(end, "--json");
    JsonNode report = valid(run(arguments).out());
    JsonNode unrelated = report.path("measures").path(1);
    assertEquals(0, unrelated.path("throughput").path("before").asInt(-1));
    assertTrue(unrelated.path("throughput").path("ratio").path("estimate").isNull());
    assertTrue(unrelated.path("throughput").path("ratio").path("high").isNull());
  }

  @Test
  void aMeasureThatIsNotPrintedIsNamed() throws Exception {
    assertRefused(
        printed(
            Jdk.JAVA_21,
            "--java-options-after -Dx --operations shared=(\\d+)/s --operations beside=(\\d+)x",
            "5/s"),
        "printed no number of operations for beside;",
        "5/s");
  }

  @Test
  void aWhatIfTakesThePinsAway() throws Exception {
    List<String> arguments = compare(Jdk.JAVA_21, "--what-if auto --pairs 2 --json");
    arguments.add(OwnLocks.class.getName());
    Forked compared = run(arguments);
    assertEquals(0, compared.exitCode(), compared.err());
    JsonNode result = valid(compared.out());
    // What it says depends on the machine, but the classes it needs are found.
    String why = result.path("prediction").path("notPredicted").asText();
    assertFalse(why.startsWith("the advice for"), why);
    assertEquals("--what-if auto", result.path("changes").path(0).asText());
    for (JsonNode one : result.path("runs")) {
      boolean before = one.path("side").asText().equals("BEFORE");
      long pins = one.path("pins").path("count").asLong();
      // 500 waits; class loading at the start can pin once or twice on either side.
      assertTrue(before ? pins > 250 : pins < 50, one.toString());
    }
  }

  @Test
  void anotherClassPathIsTheChange() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Forked refused = printed(Jdk.JAVA_21, "--classpath-after " + empty, "5 operations");
    assertRefused(refused, "(with the change) ended with exit code 1", "ClassNotFoundException");
  }
}
