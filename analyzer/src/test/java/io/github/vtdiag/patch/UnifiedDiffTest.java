package io.github.vtdiag.patch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.source.SourceText;
import io.github.vtdiag.testing.Forked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnifiedDiffTest {
  @TempDir private Path folder;

  private static Patch.Change change(Path file, byte[] before, byte[] after) {
    return new Patch.Change(file, new Patch.FileBytes(before), new Patch.FileBytes(after));
  }

  @Test
  void nothingChanged() {
    byte[] same = "a\nb".getBytes(UTF_8);
    assertEquals(
        0,
        UnifiedDiff.of(
                List.of("Nothing."), List.of(change(folder.resolve("a"), same, same)), folder)
            .length);
  }

  @Test
  void itLooksLikeADiff() {
    byte[] diff =
        UnifiedDiff.of(
            List.of(),
            List.of(
                change(
                    folder.resolve("src/a b.java"),
                    "1\n2\n3\n4\n5\n6".getBytes(UTF_8),
                    "1\n2\n3\n4\nfive\n6".getBytes(UTF_8))),
            folder);
    assertEquals(
        """
        --- a/src/a b.java\t
        +++ b/src/a b.java\t
        @@ -2,5 +2,5 @@
         2
         3
         4
        -5
        +five
         6
        \\ No newline at end of file
        """,
        new String(diff, UTF_8));
  }

  /** Random changes of random files, with all kinds of line ends, come out as they went in. */
  @Test
  void gitAppliesIt() throws IOException, InterruptedException {
    Path work = Files.createDirectories(folder.resolve("sub"));
    Random random = new Random(7);
    List<Patch.Change> changes =
        java.util.stream.IntStream.range(0, 40)
            .mapToObj(
                i ->
                    change(
                        work.resolve("src").resolve("File" + i),
                        text(random, 60),
                        text(random, 60)))
            .toList();
    Files.createDirectories(work.resolve("src"));
    for (Patch.Change change : changes) {
      Files.write(change.path(), change.before().bytes());
    }
    Path diff =
        Files.write(
            folder.resolve("all.diff"),
            UnifiedDiff.of(List.of("Assumed: nothing."), changes, work));
    // From a subfolder of a repository, where git would look for paths at its top.
    Forked.run(folder, Map.of(), List.of("git", "init", "-q"));
    Forked applied =
        Forked.run(
            work,
            Map.of(),
            List.of("git", "apply", "--whitespace=nowarn", diff.toAbsolutePath().toString()));
    assertEquals(0, applied.exitCode(), applied.err());
    for (Patch.Change change : changes) {
      assertArrayEquals(change.after().bytes(), Files.readAllBytes(change.path()));
    }
  }

  private static byte[] text(Random random, int lines) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      if (random.nextInt(4) > 0) {
        text.append(i % 5 == 0 ? "\u00e9" : "line ").append(random.nextInt(3));
        text.append(random.nextInt(5) == 0 ? "\r\n" : "\n");
      }
    }
    text.append(random.nextBoolean() ? "end" : "end\n");
    return text.toString().getBytes(ISO_8859_1);
  }

  @Test
  void whatIsTheSameNeedsNoEdit() {
    byte[] same = "a\nb".getBytes(UTF_8);
    assertEquals(List.of(), LineEdit.of(change(folder.resolve("a"), same, same)));
  }

  /** The same changes as edits of a text, done from the last to the first. */
  @Test
  void editsMakeTheNewTextOfTheOld() {
    Random random = new Random(8);
    for (int i = 0; i < 400; i++) {
      byte[] before = text(random, 9);
      byte[] after = text(random, 9);
      String edited = SourceText.of(before).text;
      List<LineEdit> edits = LineEdit.of(change(folder.resolve("a"), before, after));
      for (LineEdit edit : edits.reversed()) {
        int start = offset(edited, edit.startLine(), edit.startColumn());
        int end = offset(edited, edit.endLine(), edit.endColumn());
        edited = edited.substring(0, start) + edit.text() + edited.substring(end);
      }
      assertEquals(SourceText.of(after).text, edited);
    }
  }

  /** Where a line and a column are; there is a line behind the last line feed. */
  private static int offset(String text, int line, int column) {
    int at = 0;
    for (int i = 1; i < line; i++) {
      at = text.indexOf('\n', at) + 1;
      assertTrue(at > 0, "no line " + line);
    }
    int end = text.indexOf('\n', at);
    assertTrue(at + column - 1 <= (end < 0 ? text.length() : end), "no column " + column);
    return at + column - 1;
  }
}
