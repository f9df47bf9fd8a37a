package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.recording.HostileRecording;
import io.github.vtdiag.report.Format;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.ci.BuildFormat;
import io.github.vtdiag.report.ci.BuildFormats;
import io.github.vtdiag.report.ci.BuildReports;
import io.github.vtdiag.report.format.Formats;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole commands, on a recording whose names would move a cursor or forge a line. */
final class HostileNamesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[2J\u001b]0;owned\u0007",
        "x\nFAIL  1 of 1 limit exceeded\r\nx",
        "\u009b31m\u0085",
        "\u202eevil\u2066\u2028\u200b",
        "| `` [a](b) <script> #1 @you",
        "</script>]]></failure>\"'&#0;",
        "%0A::error::x,y=z:1",
        "\u0000x"
      })
  void everyLineIsOurs(String name) throws Exception {
    Path file = Files.write(folder.resolve("app.jfr"), HostileRecording.of(name));
    // No file may have a line break in its name on every system, but the rest.
    Path odd = Files.write(folder.resolve("a\u001b[2J\u202e.jfr"), HostileRecording.of(name));
    for (Path each : List.of(file, odd)) {
      for (Format format : Formats.ALL) {
        for (List<String> command :
            List.of(
                List.of("analyze", each.toString()),
                List.of("advise", each.toString()),
                List.of("gate", each.toString(), "--max-pin", "1ns"),
                List.of("gate", each.toString(), "--max-pin", "1h"))) {
          List<String> line = new ArrayList<>(command);
          line.addAll(List.of("-v", "--format", format.name()));
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          ByteArrayOutputStream err = new ByteArrayOutputStream();
          Main.run(
              new Console(
                  new PrintStream(out, true, StandardCharsets.UTF_8),
                  new PrintStream(err, true, StandardCharsets.UTF_8),
                  Style.PLAIN),
              line.toArray(String[]::new));
          assertOurs(out);
          assertOurs(err);
          if (format.equals(Formats.TEXT) && !command.contains("1h")) {
            String text = out.toString(StandardCharsets.UTF_8);
            // Class files have slashes where people write dots.
            String shown = Printable.text("com.example." + name.replace('/', '.'));
            assertTrue(text.contains(shown), text);
          }
        }
      }
      buildServersReadText(each);
    }
  }

  /** What they read is whole, and what they show of it is the name. */
  private void buildServersReadText(Path recording) throws Exception {
    List<String> line = new ArrayList<>(List.of("gate", recording.toString(), "--max-pin", "1ns"));
    for (BuildFormat format : BuildFormats.ALL) {
      line.addAll(List.of(format.option(), folder.resolve(format.option()).toString()));
    }
    line.addAll(List.of("--sources", folder.toString()));
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            new Console(
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Style.PLAIN),
            line.toArray(String[]::new));
    assertEquals(Exit.FAIL, code, err.toString(StandardCharsets.UTF_8));
    for (BuildFormat format : BuildFormats.ALL) {
      assertOurs(Files.readString(folder.resolve(format.option())));
    }
    BuildReports.junit(Files.readString(folder.resolve("--junit")));
    JsonNode sarif = BuildReports.sarif(Files.readString(folder.resolve("--sarif")));
    BuildReports.codeQuality(Files.readString(folder.resolve("--code-quality")));
    BuildReports.annotations(Files.readString(folder.resolve("--annotations")));
    assertTrue(
        sarif.path("results").toString().contains("com.example."),
        sarif.path("results").toString());
  }

  private static void assertOurs(ByteArrayOutputStream bytes) {
    assertOurs(bytes.toString(StandardCharsets.UTF_8));
  }

  private static void assertOurs(String text) {
    assertTrue(text.isEmpty() || text.endsWith("\n"), text);
    for (String line : text.split("\n", -1)) {
      assertEquals(Printable.text(line), line);
      assertTrue(!line.startsWith("FAIL  1 of 1 limit exceeded\\r"), line);
    }
  }
}
