package io.github.vtdiag.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.source.SourceFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatchedSourcesTest {
  @TempDir private Path folder;

  private static final String COUNTER =
      """
      class A {
        int n;
        synchronized void f() {
          n++;
        }
        void g() {
          synchronized (this) {
            n--;
          }
        }
      }
      """;

  @Test
  void sourcesThatAreNotThere() throws IOException {
    Expected.declinesOther(
        folder, "the source of A is not in", COUNTER, "B.java", "class B {}".getBytes(UTF_8));
  }

  @Test
  void sourcesOfAnotherLanguage() throws IOException {
    Expected.declinesOther(
        folder,
        "is in A.kt, but was compiled from a Java file",
        COUNTER,
        "A.kt",
        "class A".getBytes(UTF_8));
  }

  @Test
  void sourcesOfALanguageThatIsNotPatched() throws IOException {
    Expected.declinesOther(
        folder,
        "only Java and Kotlin sources are patched",
        COUNTER,
        "A.scala",
        "class A".getBytes(UTF_8));
  }

  @Test
  void sourcesThatDoNotParse() throws IOException {
    Expected.declinesOther(
        folder, "cannot be parsed", COUNTER, "A.java", (COUNTER + "}").getBytes(UTF_8));
    Expected.declinesOther(
        folder, "cannot be parsed", COUNTER, "A.java", new byte[] {0, 1, 2, (byte) 0xff});
  }

  @Test
  void sourcesThatMoved() throws IOException {
    String words = "A.java";
    Expected.declinesOther(folder, words, COUNTER, "A.java", ("\n\n" + COUNTER).getBytes(UTF_8));
    Expected.declinesOther(
        folder,
        words,
        COUNTER,
        "A.java",
        COUNTER.replace("synchronized void f", "void f").getBytes(UTF_8));
    Expected.declinesOther(
        folder, words, COUNTER, "A.java", COUNTER.replace("f()", "f(int a)").getBytes(UTF_8));
    Expected.declinesOther(
        folder, words, COUNTER, "A.java", COUNTER.replace("class A", "class B").getBytes(UTF_8));
    Expected.declinesOther(
        folder,
        words,
        COUNTER,
        "A.java",
        COUNTER.replace("n--", "synchronized (this) { n--; }").getBytes(UTF_8));
  }

  @Test
  void aLinkOutOfTheFolder() throws IOException {
    Programs program = Programs.of(folder.resolve("old"), "A.java", COUNTER);
    Path outside = folder.resolve("new").resolve("src");
    Files.createDirectories(outside);
    Files.createSymbolicLink(
        outside.resolve("A.java"), program.sources.resolve("A.java").toAbsolutePath());
    Patch patch =
        Patcher.patch(program.locks, program.program, new SourceFolders(List.of(outside)));
    assertEquals(List.of(), patch.files());
    assertTrue(patch.declined().getFirst().reason().contains("symbolic link"));
  }
}
