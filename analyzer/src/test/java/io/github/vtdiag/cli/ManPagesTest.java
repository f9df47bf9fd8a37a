package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.report.Style;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manual pages say what the help says. */
class ManPagesTest {
  @TempDir private Path folder;

  @Test
  void aFolderThatCannotBeMadeIsBadInput() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    Console console = new Console(out, out, Style.PLAIN);
    assertEquals(Exit.BAD_INPUT, Main.run(console, "man-pages", file.resolve("man").toString()));
    assertTrue(bytes.toString(UTF_8).contains("cannot be written; name another folder"));
  }

  @Test
  void eachCommandOfTheHelpHasAPageWithItsOptions() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    Console console = new Console(out, out, Style.PLAIN);
    assertEquals(Exit.OK, Main.run(console, "man-pages", folder.toString()), bytes.toString(UTF_8));
    List<String> pages;
    try (Stream<Path> files = Files.list(folder)) {
      pages = files.map(file -> file.getFileName().toString()).sorted().toList();
    }
    assertTrue(pages.contains("vtdiag.1") && pages.contains("vtdiag-gate.1"), pages.toString());
    assertFalse(pages.contains("vtdiag-warm-up.1"), pages.toString());
    String gate = Files.readString(folder.resolve("vtdiag-gate.1"));
    assertTrue(gate.contains("\n.B \\-\\-max\\-pin="), gate);
    assertTrue(gate.contains("\n.SH SYNOPSIS\n.nf\nvtdiag gate "), gate);
    assertTrue(gate.contains("\n.SH PARAMETERS\n"), gate);
    for (String page : pages) {
      for (String line : Files.readString(folder.resolve(page)).split("\n", -1)) {
        assertTrue(
            !line.startsWith(".") || line.matches("\\.(TH|SH|TP|B|BR|nf|fi|nh|ad)( .*)?"),
            page + ": " + line);
      }
    }
  }
}
