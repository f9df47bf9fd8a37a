package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.report.Style;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A result that cannot be written is one sentence with the reason, and exit code 3. */
class OutputFileTest {
  private static final String RECORDING =
      Jdks.projectFolder()
          .resolve("analyzer/src/test/resources/promised/1.0.0-rc1/app.jfr.gz")
          .toString();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "missing/out.txt|its folder does not exist",
        "there|Is a directory",
        "file/out.txt|Not a directory",
        "/dev/full|No space left on device"
      })
  void theReasonIsSaidAndNothingIsLeft(String name, String reason) throws IOException {
    Files.createDirectory(folder.resolve("there"));
    Files.createFile(folder.resolve("file"));
    Path file = folder.resolve(name);
    String said = analyze(Exit.BAD_INPUT, file);
    assertTrue(
        said.endsWith(
            "vtdiag: " + file + " cannot be written (" + reason + "); name another file with -o\n"),
        said);
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(2, left.count());
    }
  }

  @Test
  void aLinkStaysAndTheFileBehindItIsReplaced() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    analyze(Exit.OK, link);
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.readString(file).contains("Orders.place"), Files.readString(file));
  }

  @Test
  void aFileThatIsOpenElsewhereIsReplacedAsAWhole() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "old");
    try (Stream<String> open = Files.lines(file)) {
      analyze(Exit.OK, file);
      assertEquals(List.of("old"), open.toList());
    }
    assertTrue(Files.readString(file).contains("Orders.place"));
  }

  @Test
  void aFullDeviceBehindStandardOutputIsSaidAndAReaderWhoLeavesIsNot() throws Exception {
    Forked full = inShell("> /dev/full");
    assertEquals(Exit.BAD_INPUT, full.exitCode(), full.err());
    assertTrue(
        full.err().endsWith("vtdiag: standard output: No space left on device\n"), full.err());
    Forked left = inShell("| true");
    assertFalse(left.err().contains("standard output"), left.err());
  }

  private Forked inShell(String rest) throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> java =
        List.of(
            Jdk.JAVA_25.home().resolve("bin/java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "io.github.vtdiag.cli.Main",
            "analyze",
            RECORDING);
    return Forked.run(
        folder, Map.of(), List.of("sh", "-c", "'" + String.join("' '", java) + "' " + rest));
  }

  private static String analyze(int expected, Path file) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    int code =
        Main.run(new Console(out, out, Style.PLAIN), "analyze", RECORDING, "-o", file.toString());
    assertEquals(expected, code, bytes.toString(UTF_8));
    return bytes.toString(UTF_8);
  }
}
