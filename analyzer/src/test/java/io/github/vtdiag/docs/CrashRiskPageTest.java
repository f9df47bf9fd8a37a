package io.github.vtdiag.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.hang.CrashRisk;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CrashRiskPageTest {
  private static final String BEGIN = "<!-- crash risks: written by CrashRiskPageTest -->\n";
  private static final String END = "<!-- end of crash risks -->";

  /** With -Dvtdiag.write=true it writes the table. */
  @Test
  void thePageHasTheTableThatDecides() throws IOException {
    Path page = Jdks.projectFolder().resolve("docs/hangs.md");
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    int end = text.indexOf(END);
    if (Boolean.getBoolean("vtdiag.write")) {
      Files.writeString(page, text.substring(0, begin) + CrashRisk.table() + text.substring(end));
      return;
    }
    assertEquals(CrashRisk.table(), text.substring(begin, end));
  }
}
