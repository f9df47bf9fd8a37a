package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.recording.HostileRecording;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.ci.BuildFormat;
import io.github.vtdiag.report.ci.BuildFormats;
import io.github.vtdiag.report.ci.BuildReports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a gate's reports go, and where they cannot. */
final class GateOutputsTest {
  private static final String GATE = "gate app.jfr --max-pin 1ns ";

  @TempDir private Path temporary;
  private Path folder;

  private record Outcome(int code, String out, String err) {}

  @BeforeEach
  void record() throws IOException {
    folder = temporary.toRealPath();
    Files.write(folder.resolve("app.jfr"), HostileRecording.of("x"));
    Files.writeString(folder.resolve("broken.jfr"), "no recording");
    Files.createDirectory(folder.resolve("there"));
  }

  /** Runs a command in which every name is that of a file in the folder. */
  private Outcome run(String line) {
    List<String> words = new ArrayList<>();
    for (String word : line.strip().split(" ", -1)) {
      boolean isFile = word.matches("(app|broken|there|out|new).*");
      words.add(isFile ? folder.resolve(word).toString() : word);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Style.PLAIN),
            words.toArray(String[]::new));
    return new Outcome(
        code,
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8).replace(folder + "/", ""));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--junit -|--junit needs a file, not standard output",
        "--sarif -|--sarif needs a file, not standard output",
        "--junit out.xml --sarif out.xml|--junit and --sarif name the same file; give each its own",
        "--junit out.xml --sarif there/../out.xml|--junit and --sarif name the same file; give each"
            + " its own",
        "-o out.xml --summary out.xml|--output and --summary name the same file; give each its own",
        "--json --annotations -|--annotations and the JSON cannot both go to standard output; name"
            + " a file for one"
      })
  void whatCannotBeMeantIsWrongUsage(String options, String sentence) throws IOException {
    Outcome outcome = run(GATE + options);
    assertEquals("vtdiag: " + sentence + "; see vtdiag gate --help\n", outcome.err());
    assertEquals(Exit.USAGE, outcome.code());
    assertEquals("", outcome.out());
    assertEquals(List.of("app.jfr", "broken.jfr"), files());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--junit app.jfr|app.jfr is a recording to read; name another file for the output",
        "--sarif there|there is a folder; name a file with --sarif",
        "--sources nowhere --sarif out|nowhere is not a folder of sources; check --sources"
      })
  void whatIsInTheWayIsSaidBeforeAnyFileIsWritten(String options, String sentence)
      throws IOException {
    Outcome outcome =
        run(GATE + "--junit out.xml ".repeat(options.contains("--junit") ? 0 : 1) + options);
    assertEquals("vtdiag: " + sentence + "\n", outcome.err());
    assertEquals(Exit.BAD_INPUT, outcome.code());
    assertEquals(List.of("app.jfr", "broken.jfr"), files());
  }

  @Test
  void aPathThatCannotBeWrittenIsOneSentenceAndNoVerdict() throws IOException {
    Outcome outcome = run(GATE + "--junit app.jfr/out.xml");
    assertEquals(
        "vtdiag: app.jfr/out.xml cannot be written (a file is where its folder has to be); name"
            + " another file with --junit\n",
        outcome.err());
    assertEquals(Exit.BAD_INPUT, outcome.code());
    assertEquals(List.of("app.jfr", "broken.jfr"), files());
  }

  @Test
  void aRecordingThatCannotBeReadLeavesNoFile() throws IOException {
    assertEquals(
        Exit.BAD_INPUT,
        run("gate app.jfr broken.jfr --max-pin 1ns --junit out.xml --sarif out.sarif").code());
    assertEquals(List.of("app.jfr", "broken.jfr"), files());
  }

  @Test
  void allAtOnceInFoldersThatAreNotThereYet() throws Exception {
    StringBuilder line = new StringBuilder(GATE + "-q");
    for (BuildFormat format : BuildFormats.ALL) {
      line.append(' ').append(format.option()).append(" new/deep/").append(format.option());
    }
    Outcome outcome = run(line.toString());
    assertEquals(Exit.FAIL, outcome.code(), outcome.err());
    assertEquals("", outcome.out() + outcome.err());
    List<String> expected =
        new ArrayList<>(
            BuildFormats.ALL.stream().map(format -> "new/deep/" + format.option()).toList());
    expected.addAll(List.of("app.jfr", "broken.jfr"));
    assertEquals(expected.stream().sorted().toList(), files());
    BuildReports.junit(Files.readString(folder.resolve("new/deep/--junit")));
    // As readable as any file, for whoever collects it.
    assertEquals(
        Files.getPosixFilePermissions(folder.resolve("app.jfr")),
        Files.getPosixFilePermissions(folder.resolve("new/deep/--junit")));
  }

  @Test
  void anOldFileIsReplaced() throws Exception {
    Files.writeString(folder.resolve("out.xml"), "of the build before");
    assertEquals(Exit.FAIL, run(GATE + "--junit out.xml").code());
    BuildReports.junit(Files.readString(folder.resolve("out.xml")));
  }

  @Test
  void annotationsFollowTheVerdictOnStandardOutput() {
    Outcome plain = run(GATE);
    Outcome both = run(GATE + "--annotations -");
    assertTrue(both.out().startsWith(plain.out()), both.out());
    String commands = both.out().substring(plain.out().length());
    assertFalse(BuildReports.annotations(commands).isEmpty());
    // JSON that goes elsewhere is in nobody's way.
    assertEquals(Exit.FAIL, run(GATE + "--json -o out.json --annotations -").code());
  }
}
