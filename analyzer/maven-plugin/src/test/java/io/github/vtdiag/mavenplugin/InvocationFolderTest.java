package io.github.vtdiag.mavenplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InvocationFolderTest {
  @TempDir private Path top;

  @Test
  void aPathElsewhereIsWhole() {
    File module = top.resolve("module").toFile();
    File recording = new File(module, "target/1.jfr");
    InvocationFolder elsewhere = new InvocationFolder(top.resolve("docs").toString());
    assertEquals(recording.getPath(), elsewhere.path(recording));
    InvocationFolder folder = new InvocationFolder(module.getPath());
    assertEquals("target/1.jfr", folder.path(recording));
    assertEquals(module.getPath(), folder.path(module));
    assertEquals("module/target/1.jfr", new InvocationFolder(top.toString()).path(recording));
  }
}
