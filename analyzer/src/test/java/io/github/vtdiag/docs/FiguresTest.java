package io.github.vtdiag.docs;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The figures in the docs come from result files, are marked when the code is newer, and nobody
 * types one. Nothing is measured here. The rules are tried on docs that are made up.
 */
class FiguresTest {
  private static final String SOURCE = "agent/src/main/java/A.java";
  private static final String MARK = "Measured before the code changed";
  private static final String TABLE = "<!-- figures: startup/start -->\n<!-- end figures -->\n";
  private static final String INLINE =
      "It takes <!-- figure: startup/start/java-21/agent --><!-- end -->.\n";

  @TempDir private Path root;

  private record Ran(int code, String output) {}

  @BeforeEach
  void makeDocs() throws IOException, GeneralSecurityException {
    write(SOURCE, "class A {}\n");
    write("docs/benchmarks/constants.tsv", "# none\n");
    write(
        "README.md",
        "# A program\n\nFor Java 21.0.8 and 25, with pgjdbc 42.5.4 (JEP 491).\n\n" + INLINE);
    write("docs/page.md", "# A page\n\n" + TABLE);
    write(
        "docs/benchmarks/results/startup.json",
        """
        {"part": "startup", "commit": "abc", "date": "2026-11-23", "machine": "2 processors",
         "jdks": ["Temurin-21.0.8+9"], "commands": ["docs/benchmarks/startup.py JAVA21"],
         "sources": {"agent/src/main": "%1$s", "agent/core/src/main": "%2$s", "agent/src/build": "%2$s"},
         "figures": [{"table": "start", "row": "Java 21", "column": "agent", "unit": "s",
           "median": 0.166, "low": 0.156, "high": 0.176, "spread": "quartiles", "runs": 15,
           "goal": "<= 0.1"}]}
        """
            .formatted(hashOfSource(), sha256("")));
    Ran written = all("--write");
    assertEquals(0, written.code(), written.output());
  }

  @Test
  void theDocsHaveTheFiguresThatWereMeasured() throws IOException {
    Ran checked = run("--check");
    System.out.println(checked.output());
    assertEquals(0, checked.code(), checked.output());
  }

  @Test
  void whatWasWrittenIsWhatWasMeasured() throws IOException {
    assertAll(
        () -> assertPasses(),
        () -> assertTrue(read("README.md").contains("-->0.166 s<!-- end -->")),
        () -> assertTrue(read("docs/page.md").contains("| Java 21 | 0.166 s (0.156-0.176);")),
        () -> assertTrue(read("docs/page.md").contains("at most 0.1, **missed**")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "It takes 0.67 s.",
        "Half a gigabyte takes less than a second.",
        "It is 3 times faster.",
        "It needs 181 MB.",
        "That is 20% less.",
        "It serves 12,000 requests a second.",
        "It serves 11,554/s.",
        "It costs 1.5x as much.",
        "It takes 5-45 s.",
        "Each enter takes 19.3 ns.",
        "It takes two minutes.",
        "It ends within 750ms."
      })
  void typedFigureFails(String sentence) throws IOException {
    write("docs/other.md", sentence + "\n");
    assertFails("docs/other.md:1: a figure outside of a region");
  }

  @Test
  void typedFigureFailsInTheRealDocs() throws IOException {
    Path project = Jdks.projectFolder();
    for (String page : new String[] {"README.md", "docs/benchmarks.md", "docs/experiments.md"}) {
      String text = Files.readString(project.resolve(page));
      write(page, text + "\nIt takes 0.67 s.\n");
      int line = text.split("\n", -1).length + 1;
      assertFails(page + ":" + line + ": a figure outside of a region: 0.67 s");
    }
  }

  @Test
  void ratiosAndCountsFailOnPagesOfMeasurements() throws IOException {
    write(
        "docs/benchmarks.md",
        "The ratio is 0.956.\n\nIt was found in 20 of 20 runs.\n\n```\n19,123/s\n```\n");
    assertFails("docs/benchmarks.md:1: a figure outside of a region: 0.956");
    assertFails("docs/benchmarks.md:3: a figure outside of a region: 20 of 20");
    assertFails("docs/benchmarks.md:6: a figure outside of a region: 19,123/s");
  }

  @Test
  void examplesOfOutputPassElsewhere() throws IOException {
    write("docs/other.md", "```\n19,123/s\n```\n");
    assertPasses();
  }

  @Test
  void constantPassesOnceAndWithItsWords() throws IOException {
    write("docs/other.md", "The default is\n15 s.\n");
    write("docs/benchmarks/constants.tsv", "docs/other.md\tThe default is 15 s.\tthe default\n");
    assertPasses();
    write("docs/other.md", "The default is 15 s. And it took 15 s.\n");
    assertFails("docs/other.md:1: a figure outside of a region: 15 s");
    write("docs/other.md", "The default is 15 s. The default is 15 s.\n");
    assertFails("constants.tsv:1: docs/other.md has this text 2 times");
    write("docs/other.md", "The default is 16 s.\n");
    assertFails("constants.tsv:1: docs/other.md has this text 0 times");
    write("docs/other.md", "15 s\n");
    write("docs/benchmarks/constants.tsv", "docs/other.md\t15 s\tthe default\n");
    assertFails("constants.tsv:1: nothing but a figure");
  }

  @Test
  void changedRegionFails() throws IOException {
    replace("docs/page.md", "0.166 s", "0.066 s");
    assertFails("docs/page.md:");
    assertEquals(0, all("--write").code());
    replace("README.md", "0.166 s", "0.066 s");
    assertFails("README.md:5: a region is not as its result file has it");
  }

  @Test
  void regionOfNothingFails() throws IOException {
    write("docs/other.md", TABLE.replace("startup/start", "startup/end"));
    assertFails("docs/other.md:1: startup has no table end");
    write("docs/other.md", INLINE.replace("java-21", "java-22"));
    assertFails("there is no figure startup/start/java-22/agent");
    write("docs/other.md", "<!-- figures: startup/start -->\n\n");
    assertFails("docs/other.md:1: a marker without its other half");
  }

  @Test
  void markOfOlderCodeComesAndGoesWithTheCode() throws IOException {
    assertTrue(!read("docs/page.md").contains(MARK));
    write(SOURCE, "class A { int changed; }\n");
    assertListed();
    Ran written = all("--write");
    assertAll(
        () ->
            assertTrue(written.output().contains("older than the code: startup (agent/src/main)")),
        () ->
            assertTrue(read("docs/page.md").contains("**" + MARK + "**: commit abc, 2026-11-23.")),
        () -> assertTrue(read("README.md").contains("0.166 s <sup>older code</sup><!-- end -->")),
        () -> assertListed());
    replace("docs/page.md", "0.166 s", "0.066 s");
    assertFails("docs/page.md:3: a region is not as its result file has it");
    write(SOURCE, "class A {}\n");
    assertEquals(0, all("--write").code());
    assertAll(
        () -> assertTrue(!read("docs/page.md").contains(MARK)),
        () -> assertTrue(!read("README.md").contains("older code")));
  }

  @Test
  void aCommentIsNoCodeButWhatLooksLikeOneInAStringIs()
      throws IOException, GeneralSecurityException {
    write(SOURCE, "/** Is \"new\". */\nclass A { // as well\n}\n");
    Ran checked = all("--check");
    assertTrue(!checked.output().contains("older than the code"), checked.output());
    for (String[] words : new String[][] {{"old", "new"}, {"new", "old"}}) {
      write(
          SOURCE,
          "class A { String s = \"\"\"\n/* "
              + words[0]
              + " */\"\"\"; String t = \"// "
              + words[1]
              + "\"; }\n");
      assertListed();
    }
  }

  @Test
  void movedCodeIsOlderCode() throws IOException {
    Files.move(root.resolve(SOURCE), root.resolve("agent/src/main/java/B.java"));
    assertListed();
  }

  @Test
  void pageOfACommandFailsWhenItWasEdited() throws IOException, GeneralSecurityException {
    write("docs/experiments/x.md", "It took 3 s.\n");
    replace(
        "docs/benchmarks/results/startup.json",
        "\"figures\":",
        "\"files\": {\"docs/experiments/x.md\": \"%s\"},\n \"figures\":"
            .formatted(sha256("It took 3 s.\n")));
    assertPasses();
    write("docs/experiments/x.md", "It took 2 s.\n");
    assertFails("docs/experiments/x.md: a command writes this page");
  }

  @Test
  void resultThatNoPartMeasuresFails() throws IOException {
    write("docs/benchmarks/results/mine.json", "{}");
    assertFails("mine.json: there is no part of that name");
    Files.delete(root.resolve("docs/benchmarks/results/mine.json"));
  }

  @Test
  void resultOfOtherSourcesIsOlderThanTheCode() throws IOException {
    replace("docs/benchmarks/results/startup.json", "agent/src/main", "agent/src/test");
    Ran checked = all("--check");
    assertAll(
        () -> assertEquals(0, checked.code(), checked.output()),
        () -> assertTrue(checked.output().contains("older than the code: startup (")));
  }

  /**
   * A change of the code makes the figures older; it is no reason to fail before they are marked.
   */
  private void assertListed() throws IOException {
    Ran checked = all("--check");
    assertAll(
        () -> assertEquals(0, checked.code(), checked.output()),
        () ->
            assertTrue(checked.output().contains("older than the code: startup (agent/src/main")));
  }

  private void assertPasses() throws IOException {
    Ran checked = all("--check");
    assertEquals(0, checked.code(), checked.output());
  }

  private void assertFails(String why) throws IOException {
    Ran checked = all("--check");
    assertAll(
        () -> assertNotEquals(0, checked.code(), checked.output()),
        () -> assertTrue(checked.output().contains(why), checked.output()));
  }

  private Ran all(String mode) throws IOException {
    return run(mode, "--root", root.toString());
  }

  private static Ran run(String... arguments) throws IOException {
    Path project = Jdks.projectFolder();
    ProcessBuilder builder = new ProcessBuilder("python3", "docs/benchmarks/all");
    builder.command().addAll(List.of(arguments));
    Process process = builder.directory(project.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return new Ran(process.waitFor(), output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** As figures.py does it: the path, the length and the code of each file. */
  private String hashOfSource() throws IOException, GeneralSecurityException {
    String content = read(SOURCE).replaceAll("\\s+", "");
    return sha256(SOURCE + "\0" + content.length() + "\0" + content);
  }

  private static String sha256(String text) throws GeneralSecurityException {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest);
  }

  private void replace(String file, String old, String text) throws IOException {
    String before = read(file);
    assertTrue(before.contains(old), before);
    write(file, before.replace(old, text));
  }

  private String read(String file) throws IOException {
    return Files.readString(root.resolve(file));
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), text);
  }
}
