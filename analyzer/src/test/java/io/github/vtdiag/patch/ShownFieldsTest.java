package io.github.vtdiag.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShownFieldsTest {
  @TempDir private Path folder;

  private static final String SOURCE =
      """
      package demo;
      %sclass A {
        int n;
        synchronized void run() throws Exception { n++; wait(); }
      }
      """;

  /** Stands for a library, of which only the name counts. */
  private void annotation(String name) throws IOException {
    int dot = name.lastIndexOf('.');
    Programs.write(
        folder,
        name.replace('.', '/') + ".java",
        "package %s; public @interface %s {}"
            .formatted(name.substring(0, dot), name.substring(dot + 1))
            .getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lombok.Data", "lombok.Value", "lombok.Getter", "lombok.ToString"})
  void whatShowsTransientFieldsToo(String name) throws IOException {
    annotation(name);
    Patch patch = Programs.of(folder, "demo/A.java", SOURCE.formatted("@" + name + "\n")).patch();
    assertEquals(List.of(), patch.files());
    assertTrue(
        patch.declined().getFirst().reason().contains("which would show a new field"),
        patch.declined()::toString);
  }

  @Test
  void anAnnotationThatOnlyHasTheName() throws IOException {
    annotation("own.Data");
    Programs program = Programs.of(folder, "demo/A.java", SOURCE.formatted("@own.Data\n"));
    String text = program.after(program.patch()).source("demo/A.java");
    assertTrue(text.contains("private final transient ReentrantLock lock ="), text);
    assertTrue(text.contains("private final transient Condition condition ="), text);
  }
}
