package io.github.vtdiag.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.source.SourceFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a patch of small sources must be. */
final class Expected {
  private Expected() {}

  /** The patch gives this text, moves all locks, compiles, and finds nothing to do again. */
  static void rewrites(Path folder, String before, String after) throws IOException {
    String name = before.startsWith("package demo;") ? "demo/A.java" : "A.java";
    Programs program = Programs.of(folder.resolve("lf"), name, before);
    Patch patch = program.patch();
    assertEquals(List.of(), patch.declined());
    Programs patched = program.after(patch);
    assertEquals(after, patched.source(name));
    Programs.assertLockedBeforeTry(patched.source(name));
    patched.assertNoMonitorLeft();
    assertEquals(List.of(), patched.patch().files());

    Programs crlf = Programs.of(folder.resolve("crlf"), name, before.replace("\n", "\r\n"));
    assertEquals(after.replace("\n", "\r\n"), crlf.after(crlf.patch()).source(name));
  }

  /** Nothing is written, and the reason has these words. */
  static void declines(Path folder, String words, String source) throws IOException {
    Programs program = Programs.of(folder, "A.java", source);
    assertTrue(!program.locks.isEmpty(), "no lock, so nothing is tested");
    Patch patch = program.patch();
    assertEquals(List.of(), patch.files());
    assertEquals(program.locks.size(), patch.declined().size());
    for (Patch.Unpatched declined : patch.declined()) {
      assertTrue(declined.reason().contains(words), declined.reason());
    }
  }

  /** Patches other sources than those the classes are from. */
  static void declinesOther(Path folder, String words, String compiled, String name, byte[] found)
      throws IOException {
    Programs program = Programs.of(folder.resolve("old"), "A.java", compiled);
    Programs.write(folder.resolve("new"), name, found);
    Patch patch =
        Patcher.patch(
            program.locks,
            program.program,
            new SourceFolders(List.of(folder.resolve("new").resolve("src"))));
    assertEquals(List.of(), patch.files());
    assertEquals(program.locks.size(), patch.declined().size());
    assertTrue(
        patch.declined().getFirst().reason().contains(words), patch.declined().getFirst().reason());
  }
}
