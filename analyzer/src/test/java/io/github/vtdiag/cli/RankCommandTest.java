package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.report.Style;
import io.github.vtdiag.testing.Jdks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The recording is the one of {@link PromisedFilesTest}: Orders.place, a synchronized method at
 * line 5, pinned three times.
 */
class RankCommandTest {
  private static final String RECORDING =
      Jdks.projectFolder()
          .resolve("analyzer/src/test/resources/promised/1.0.0-rc1/app.jfr.gz")
          .toString();

  @TempDir private Path folder;

  private record Said(int code, String text) {}

  @Test
  void aSarifFileAndARecordingAreNeeded() throws IOException {
    assertEquals(Exit.USAGE, rank(RECORDING).code());
    assertTrue(rank(RECORDING).text().contains("no SARIF file: name one that ends with .sarif"));
    Said alone = rank(sarif(result("Orders.java", 4)));
    assertEquals(Exit.USAGE, alone.code());
    assertTrue(alone.text().contains("no recording: name one beside"), alone.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "{\"runs\": [", "not json", "{\"version\": \"2.1.0\"}"})
  void whatIsNoSarifIsBadInput(String text) throws IOException {
    String file = Files.writeString(folder.resolve("a.sarif"), text).toString();
    Said said = rank(file, RECORDING);
    assertEquals(Exit.BAD_INPUT, said.code(), said.text());
    assertTrue(said.text().contains("check it"), said.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"runs\": 5}",
        "{\"runs\": [{\"results\": [{\"locations\": 7, \"message\": []}]}]}",
        "{\"runs\": [{\"tool\": {\"driver\": {\"rules\": [{\"id\": {\"a\": [1]}}]}}, \"results\":"
            + " []}]}"
      })
  void whatIsOddInItMatchesNothing(String text) throws IOException {
    String file = Files.writeString(folder.resolve("a.sarif"), text).toString();
    Said said = rank(file, RECORDING);
    assertEquals(Exit.OK, said.code(), said.text());
    assertTrue(said.text().contains("0 name a lock"), said.text());
  }

  @ParameterizedTest
  @CsvSource({
    "Other.java, 5",
    "src/MyOrders.java, 5",
    "Orders.java, 30",
    "com/Orders.java.txt, 5",
    "Orders.java, 0"
  })
  void aResultElsewhereDoesNotMatter(String path, int line) throws IOException {
    Said said = rank(sarif(result(path, line)), RECORDING);
    assertEquals(Exit.OK, said.code(), said.text());
    assertTrue(said.text().startsWith("Of 1 result 0 name a lock"), said.text());
  }

  @ParameterizedTest
  @CsvSource({
    "Orders.java, 4",
    "src/main/java/Orders.java, 5",
    "file:///home/a%20b/Orders.java, 5"
  })
  void aResultAtTheLockMatters(String path, int line) throws IOException {
    Said said =
        rank(
            sarif(
                result("src/Other.java", 1) + "," + result(path, line) + "," + result("X.java", 9)),
            RECORDING);
    assertEquals(Exit.OK, said.code(), said.text());
    assertTrue(said.text().startsWith("Of 3 results 1 names a lock that pinned"), said.text());
    assertTrue(said.text().contains("  1  " + path + ":" + line), said.text());
    assertTrue(said.text().contains("3 pins"), said.text());
    assertTrue(said.text().contains("Orders.place"), said.text());
    assertTrue(said.text().contains("Sonar S6906: use a lock"), said.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"suppressions\": [{\"kind\": \"inSource\"}]",
        "\"suppressions\": [{\"kind\": \"external\", \"status\": \"accepted\"}]",
        "\"kind\": \"pass\"",
        "\"baselineState\": \"absent\""
      })
  void aResultThatAsksForNothingIsNotCounted(String member) throws IOException {
    String closed = result("Orders.java", 5).replaceFirst("\\{", "{" + member + ", ");
    Said said = rank(sarif(closed + "," + result("X.java", 1)), RECORDING);
    assertTrue(said.text().startsWith("Of 1 result 0 name a lock"), said.text());
    assertTrue(said.text().contains("Not counted: 1 result that"), said.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"suppressions\": []",
        "\"suppressions\": [{\"kind\": \"external\", \"status\": \"rejected\"}]",
        "\"kind\": \"fail\"",
        "\"baselineState\": \"unchanged\""
      })
  void aResultThatIsOpenIsCounted(String member) throws IOException {
    String open = result("Orders.java", 5).replaceFirst("\\{", "{" + member + ", ");
    Said said = rank(sarif(open), RECORDING);
    assertTrue(said.text().startsWith("Of 1 result 1 names a lock"), said.text());
    assertFalse(said.text().contains("Not counted"), said.text());
  }

  /** As tools write that name rules and files once: by their places in the lists of the run. */
  @Test
  void rulesAndFilesAreFoundByTheirIndex() throws IOException {
    String file =
        Files.writeString(
                folder.resolve("a.SARIF"),
                """
                \ufeff{"version": "2.1.0", "runs": [
                  {"tool": {"driver": {"name": "Empty"}}},
                  {"results": [{"rule": {"index": 1},
                     "message": {"text": "{0} blocks", "arguments": ["place", {"odd": [1]}]},
                     "locations": [{"logicalLocations": [{"name": "x"}]},
                       {"physicalLocation": {"artifactLocation": {"index": 1, "uriBaseId": "SRC"},
                         "region": {"startLine": 5}}}]}],
                   "artifacts": [{"location": {"uri": "A.java"}}, {"location": {"uri": "Orders.java"}}],
                   "tool": {"driver": {"name": "Tool", "rules": [{"id": "A1"}, {"id": "B2"}]}}}]}
                """)
            .toString();
    Said said = rank(file, RECORDING);
    assertEquals(Exit.OK, said.code(), said.text());
    assertTrue(said.text().startsWith("Of 1 result 1 names"), said.text());
    assertTrue(said.text().contains("  1  Orders.java:5"), said.text());
    assertTrue(said.text().contains("Tool B2: place blocks"), said.text());
  }

  @Test
  void namesOfFilesStayText() throws IOException {
    Said said = rank(sarif(result("a\\u001b[31m/Orders.java", 5)), RECORDING);
    assertFalse(said.text().contains("\u001b"), said.text());
    assertTrue(said.text().startsWith("Of 1 result 1 names"), said.text());
  }

  private static String result(String path, int line) {
    return """
    {"ruleId": "S6906", "ruleIndex": 3, "message": {"text": "use a lock", "arguments": []},
     "locations": [{"physicalLocation": {"artifactLocation": {"uri": "%s", "index": 0},
       "region": {"startLine": %d, "snippet": {"text": "synchronized"}}}}]}
    """
        .formatted(path, line);
  }

  private String sarif(String results) throws IOException {
    return Files.writeString(
            folder.resolve("findings.sarif"),
            """
            {"$schema": "x", "version": "2.1.0", "runs": [{"results": [%s],
              "tool": {"driver": {"name": "Sonar", "rules": [{"id": "S6906"}]}}}]}
            """
                .formatted(results))
        .toString();
  }

  private static Said rank(String... files) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    String[] arguments = new String[files.length + 1];
    arguments[0] = "rank";
    System.arraycopy(files, 0, arguments, 1, files.length);
    return new Said(Main.run(new Console(out, out, Style.PLAIN), arguments), bytes.toString(UTF_8));
  }
}
