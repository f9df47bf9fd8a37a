package io.github.vtdiag.mavenplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InvocationFolderTest {
  @TempDir private Path top;

  @Test
  void onlyTheRecordingsOfTheModuleAreNamedOtherwise() throws Exception {
    Path module = top.resolve("a.b");
    Path recordings = Files.createDirectories(module.resolve("target/vtdiag"));
    Files.createFile(recordings.resolve("1.jfr"));
    InvocationFolder folder = new InvocationFolder(top.toString(), module.toFile());
    String others = "PASS  other/target/vtdiag/1.jfr target/vtdiag/1.jfr2 target/vtdiag/2.jfr";
    assertEquals(others, folder.resolved(others, recordings.toFile()));
    assertEquals(
        "  warning: a.b/target/vtdiag/1.jfr: no, (a.b/target/vtdiag)",
        folder.resolved(
            "  warning: target/vtdiag/1.jfr: no, (target/vtdiag)", recordings.toFile()));
  }

  @Test
  void aPathElsewhereIsWhole() {
    File module = top.resolve("module").toFile();
    File recording = new File(module, "target/1.jfr");
    InvocationFolder folder = new InvocationFolder(top.resolve("docs").toString(), module);
    assertEquals(recording.getPath(), folder.path(recording));
    assertEquals("target/1.jfr", folder.inModule(recording));
    assertEquals(module.getPath(), folder.inModule(module));
    InvocationFolder same = new InvocationFolder(module.getPath(), module);
    assertEquals("target/1.jfr", same.path(recording));
  }
}
