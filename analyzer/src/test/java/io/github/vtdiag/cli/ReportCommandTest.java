package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.recording.HostileRecording;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code vtdiag report} refuses, where it writes, and that it opens what it wrote. */
final class ReportCommandTest {
  @TempDir private Path folder;

  private Forked report(String path, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Jdk.JAVA_25.java().toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "io.github.vtdiag.cli.Main",
                "report"));
    command.addAll(List.of(arguments));
    return Forked.run(folder, Map.of("PATH", path), command);
  }

  private void record() throws Exception {
    Files.write(folder.resolve("app.jfr"), HostileRecording.of("plain"));
  }

  @Test
  void whatIsNoRecordingIsOneSentence() throws Exception {
    record();
    Files.writeString(folder.resolve("text.jfr"), "this is not a recording".repeat(10));
    for (String file : List.of("missing.jfr", "text.jfr")) {
      Forked refused = report("/usr/bin:/bin", file);
      assertEquals(3, refused.exitCode(), refused.err());
      assertTrue(refused.err().matches("vtdiag: .*" + file + ".*\\R"), refused.err());
      assertFalse(Files.exists(folder.resolve("report.html")));
    }
    byte[] recording = Files.readAllBytes(folder.resolve("app.jfr"));
    Forked refused = report("/usr/bin:/bin", "app.jfr", "-o", "app.jfr");
    assertEquals(3, refused.exitCode(), refused.err());
    assertTrue(refused.err().contains("name another file for the output"), refused.err());
    assertEquals(recording.length, Files.size(folder.resolve("app.jfr")));
    assertEquals(2, report("/usr/bin:/bin").exitCode());
  }

  @Test
  void aMinusIsStandardOutput() throws Exception {
    record();
    Forked printed = report("/usr/bin:/bin", "app.jfr", "-o", "-");
    assertEquals("", printed.err());
    assertTrue(printed.out().startsWith("<!doctype html>"), printed.out());
    assertFalse(Files.exists(folder.resolve("report.html")));
  }

  @Test
  void thePageIsShownInTheBrowser() throws Exception {
    Assumptions.assumeTrue(System.getProperty("os.name").equals("Linux"));
    record();
    Path browser = folder.resolve("xdg-open");
    Files.writeString(browser, "#!/bin/sh\nprintf '%s' \"$1\" > new && mv new opened\n");
    Files.setPosixFilePermissions(browser, PosixFilePermissions.fromString("rwxr-xr-x"));
    Forked opening = report(folder + ":/usr/bin:/bin", "app.jfr", "--open");
    assertEquals("vtdiag: wrote report.html\n", opening.err());
    Path opened = folder.resolve("opened");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.exists(opened) && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    assertEquals(
        folder.resolve("report.html").toRealPath().toUri().toString(),
        Files.readString(opened, StandardCharsets.UTF_8));
  }

  @Test
  void withoutABrowserItSaysWhereThePageIs() throws Exception {
    Assumptions.assumeTrue(System.getProperty("os.name").equals("Linux"));
    record();
    Forked alone = report(folder.toString(), "app.jfr", "--open");
    assertEquals(0, alone.exitCode());
    assertTrue(alone.err().contains("report.html could not be opened; open it"), alone.err());
    assertTrue(Files.size(folder.resolve("report.html")) > 0);
  }
}
