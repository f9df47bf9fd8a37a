package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class BuildToolOptionsTest {
  @TempDir private Path folder;

  private static BuildToolOptions parsed(String... arguments) {
    return CommandLine.populateCommand(new BuildToolOptions(), arguments);
  }

  @Test
  void whereNoBuildToolAsksPathsAreAsTypedAndNothingIsNext() {
    BuildToolOptions options = parsed();
    assertEquals("../a.jfr", options.paths().apply("../a.jfr"));
    assertFalse(options.next(List.of("a.jfr")).isPresent());
  }

  @Test
  void pathsAreForTheFolderInWhichTheUserTyped() {
    BuildToolOptions options = parsed("--typed-in=" + folder);
    assertEquals("store/a.jfr", options.paths().apply(folder.resolve("store/a.jfr").toString()));
    assertEquals("store/a.jfr", options.paths().apply(folder + "/other/../store/a.jfr"));
    Path elsewhere = folder.resolveSibling("a.jfr");
    assertEquals(elsewhere.toString(), options.paths().apply(elsewhere.toString()));
    assertEquals(folder.toString(), options.paths().apply(folder.toString()));
  }

  @Test
  void theNextCommandNamesEachFolderOfRecordingsOnce() throws Exception {
    Path tests = Files.createDirectories(folder.resolve("my store/tests"));
    Path others = Files.createDirectories(folder.resolve("my store/others"));
    String next =
        parsed("--typed-in=" + folder, "--advise-with=classpath=a.jar", "--advise-with=own=b:*")
            .next(List.of(tests + "/1.jfr", tests + "/2.jfr", others.toString()))
            .orElseThrow();
    String advise = next.substring(next.indexOf(" advise "));
    assertEquals(
        " advise 'my store/tests' 'my store/others' --classpath=a.jar '--own=b:*'", advise);
  }
}
