package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are something else first. */
class SitesFileTest {
  @TempDir Path folder;

  private SitesFile read(String content) throws IOException {
    return SitesFile.read(Files.writeString(folder.resolve("sites"), content).toString());
  }

  private void assertRefused(String what) {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> SitesFile.read(folder.resolve("sites").toString()))
            .getMessage();
    assertTrue(message.startsWith("'" + folder.resolve("sites") + "' " + what), message);
    assertTrue(message.endsWith(" CLASS or CLASS#METHOD per line"), message);
    assertTrue(!message.contains("\n"), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|names no class",
        "# nothing|names no class",
        "--- a/Db.java|is not a list of classes: line 1 names none",
        "diff --git a/Db.java b/Db.java|is not a list of classes: line 1",
        "com.example.*#m|is not a list of classes: line 1",
        "[1]|is not a list of classes: line 1",
        "{|is not JSON: it ends too early",
        "{\"schema\":1,\"findings\":[}|is not JSON: at character 25",
        "{\"schema\":1}|is JSON, but not a report with findings",
        "{\"schema\":1,\"verdict\":\"FASTER\",\"runs\":[]}|is JSON, but not a report with findings",
        "{\"schema\":1,\"base\":\".\",\"diff\":\"\"}|is JSON, but not a report with findings",
        "{\"schema\":2,\"findings\":[]}|has a schema version that this vtdiag does not know",
        "{\"schema\":1,\"findings\":[]}|recommends rewriting no monitor"
      })
  void aFileOfAnotherKindIsOneSentence(String content, String what) throws IOException {
    Files.writeString(folder.resolve("sites"), content);
    assertRefused(what);
  }

  @Test
  void whatIsNoTextIsOneSentence() throws IOException {
    Path file = folder.resolve("sites");
    Files.write(file, new byte[] {'F', 'L', 'R', 0, 0, 2});
    assertRefused("is a recording");
    Files.write(file, new byte[] {'a', (byte) 0xFF, 'b'});
    assertRefused("is not UTF-8 text");
    Files.delete(file);
    assertRefused("cannot be read (NoSuchFileException)");
    Files.createDirectory(file);
    assertRefused("is a folder");
  }

  @Test
  void everyCutOfAReportIsRefused() throws IOException {
    String report = report(FOUND, REWRITE);
    assertEquals(1, read(report).sites().size());
    for (int end = 1; end < report.length(); end++) {
      Files.writeString(folder.resolve("sites"), report.substring(0, end));
      assertRefused("is not JSON");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\" 1}",
        "{1:2}",
        "[1,]",
        "\"\\q\"",
        "\"\\u12g4\"",
        "\"\n\"",
        "-",
        "1 2",
        "nul"
      })
  void whatIsNoJsonIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
  }

  @Test
  void endlessNestingIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Json.parse("[".repeat(1_000_000)));
  }

  @Test
  void jsonIsRead() {
    assertEquals(
        Map.of("a\"\\/\n\u00e9", List.of(1.0, -25.0, true, Map.of(), List.of(), "")),
        Json.parse(" {\"a\\\"\\\\\\/\\n\\u00e9\" : [1, -2.5e1 ,true, {}, [ ], \"\"]}\r\n"));
    assertEquals(null, Json.parse("null"));
  }

  private static final String FOUND =
      "\"site\":{\"kind\":\"SYNCHRONIZED_METHOD\",\"class\":\"a.Found\",\"method\":\"m\","
          + "\"descriptor\":\"()V\"},\"owner\":{\"kind\":\"APPLICATION\"},\"alsoHeld\":["
          + "{\"site\":{\"kind\":\"SYNCHRONIZED_BLOCK\",\"class\":\"a.Also\",\"method\":\"n\","
          + "\"descriptor\":\"broken\"},\"owner\":{\"kind\":\"LIBRARY\"}},"
          + "{\"site\":{\"kind\":\"SYNCHRONIZED_METHOD\",\"class\":\"java.util.Vector\","
          + "\"method\":\"add\",\"descriptor\":\"()V\"},\"owner\":{\"kind\":\"JDK\"}},"
          + "{\"site\":{\"kind\":\"NATIVE_FRAME\",\"class\":\"a.Native\",\"method\":\"add\"},"
          + "\"owner\":{\"kind\":\"APPLICATION\"}}]";

  private static final String REWRITE =
      "{\"kind\":\"REWRITE\",\"locks\":[{\"name\":\"L\",\"sites\":[{\"class\":\"a.Moved\","
          + "\"method\":\"m\",\"descriptor\":\"()V\",\"region\":{\"enterBci\":7}}]}]}";

  private static String report(String found, String recommendation) {
    return "{\"schema\":1,\"findings\":[{"
        + found
        + ",\"advice\":{\"recommendation\":"
        + recommendation
        + ",\"together\":[],\"alternatives\":[{\"recommendation\":"
        + REWRITE.replace("a.Moved", "a.Alternative")
        + "}]}}]}";
  }

  private static String sites(SitesFile file) {
    return String.join(
        " ",
        file.sites().stream()
            .map(
                site ->
                    site.type()
                        + "."
                        + site.method()
                        + site.descriptor()
                        + site.kind().map(kind -> ":" + kind).orElse(""))
            .toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\":\"UPGRADE_LIBRARY\"}",
        "{\"kind\":\"UPGRADE_JDK\"}",
        "{\"kind\":\"CHANGE_PATTERN\"}",
        "{\"kind\":\"KEEP\",\"why\":\"HARMLESS\"}",
        "{\"kind\":\"KEEP\",\"why\":\"REFUSED\",\"rung\":\"ESCAPES\",\"sites\":[]}",
        "{\"kind\":\"KEEP\",\"why\":\"HELD_TOGETHER\",\"rung\":\"CLASS_UNKNOWN\",\"sites\":[]}"
      })
  void whatIsRecommendedOtherwiseIsNotRewritten(String recommendation) throws IOException {
    Files.writeString(folder.resolve("sites"), report(FOUND, recommendation));
    assertRefused("recommends rewriting no monitor");
  }

  @Test
  void theRecommendedRewriteCountsAndNotWhatWasFound() throws IOException {
    assertEquals("a.Moved.m()V:BLOCK", sites(read(report(FOUND, REWRITE))));
    String upgrade =
        report(FOUND, "{\"kind\":\"UPGRADE_LIBRARY\"}")
            .replace("\"together\":[]", "\"together\":[" + REWRITE + "]");
    assertEquals("a.Moved.m()V:BLOCK", sites(read("\uFEFF" + upgrade)));
    assertEquals("a.Moved.m()V:METHOD", sites(read(report(FOUND, REWRITE.replace(":7", ":-1")))));
  }

  @Test
  void whereNothingWasDecidedItIsTheMonitorsFound() throws IOException {
    String found = "a.Found.m()V:METHOD a.Also.n:BLOCK";
    assertEquals(found, sites(read("{\"schema\":1,\"findings\":[{" + FOUND + "}]}")));
    assertEquals(
        found,
        sites(
            read(
                report(
                    FOUND, "{\"kind\":\"KEEP\",\"why\":\"REFUSED\",\"rung\":\"CLASS_UNKNOWN\"}"))));
  }

  @Test
  void linesNameClassesAndMethods() throws IOException {
    assertEquals(
        "a.B. a.C.<init> a.*.", sites(read("#\n a.B \r\n\na.C#<init>\na.C#<init>\na.*\n")));
  }

  @SuppressWarnings("unused")
  private static final class Locks {
    synchronized void method(int a, String[] b) {}

    void block() {
      synchronized (this) {
        neither();
      }
    }

    void neither() {}
  }

  @Test
  void aClassFileIsHeldAgainstIt() throws IOException {
    String name = Locks.class.getName();
    byte[] classFile;
    try (InputStream in = getClass().getResourceAsStream("SitesFileTest$Locks.class")) {
      classFile = in.readAllBytes();
    }
    String fine = "#method\n" + name + "#block\n" + name + "\nother.Type#m\n";
    assertEquals(List.of(), read(name + fine).mismatches(classFile));
    assertEquals(
        List.of(name + ".neither locks nothing", name + " has no method gone"),
        read(name + "#neither\n" + name + "#gone\n").mismatches(classFile));
    String report = report(FOUND, REWRITE).replace("a.Moved", name);
    assertEquals(List.of(name + " has no method m()"), read(report).mismatches(classFile));
    String method =
        report.replace(
            "\"m\",\"descriptor\":\"()V\",\"region\"",
            "\"method\",\"descriptor\":\"(I[Ljava/lang/String;)V\",\"region\"");
    assertEquals(
        List.of(name + ".method(int, String[]) has no synchronized block"),
        read(method).mismatches(classFile));
    assertEquals(List.of(), read(method.replace(":7", ":-1")).mismatches(classFile));
    String block =
        method.replace(
            "\"method\",\"descriptor\":\"(I[Ljava/lang/String;)V\"",
            "\"block\",\"descriptor\":\"()V\"");
    assertEquals(List.of(), read(block).mismatches(classFile));
    assertEquals(
        List.of(name + ".block() is not synchronized"),
        read(block.replace(":7", ":-1")).mismatches(classFile));
  }

  @Test
  void tenMismatchesAreNamedAndTheRestCounted() {
    SitesFile file = new SitesFile("sites.json", List.of());
    String sentence = file.sentence(java.util.Collections.nCopies(12, "a.B.m locks nothing"));
    assertTrue(
        sentence.startsWith("'sites.json' describes another version of the program: a.B.m "));
    assertTrue(sentence.contains("nothing, and 2 more; make a new report"), sentence);
  }
}
