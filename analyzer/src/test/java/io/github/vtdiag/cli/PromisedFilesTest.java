package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.report.Style;
import io.github.vtdiag.testing.Jdks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files of releases, which this vtdiag has to read as that one did: a recording on Java 21, a
 * baseline and a policy. None is ever made anew; a release adds a folder.
 */
class PromisedFilesTest {
  private static final Path FOLDERS =
      Jdks.projectFolder().resolve("analyzer/src/test/resources/promised");

  @TempDir private Path folder;

  private record Said(int code, String out) {}

  static Stream<Path> releases() throws IOException {
    try (Stream<Path> all = Files.list(FOLDERS)) {
      return all.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("releases")
  void theRecordingTellsWhatItTold(Path release) {
    Said json = run("analyze", release.resolve("app.jfr.gz").toString(), "--json");
    assertEquals(Exit.OK, json.code(), json.out());
    assertTrue(json.out().contains("\"agentVersion\" : \"" + release.getFileName() + "\""));
    assertTrue(json.out().contains("SYNCHRONIZED_METHOD Orders.place on this"), json.out());
  }

  @ParameterizedTest
  @MethodSource("releases")
  void thePolicyAndTheBaselineHold(Path release) {
    String recording = release.resolve("app.jfr.gz").toString();
    Said fails = run("gate", recording, "--no-policy", "--max-pin", "50ms");
    assertEquals(Exit.FAIL, fails.code(), fails.out());
    Said passes = run("gate", recording, "--policy", release.resolve("vtdiag.yml").toString());
    assertEquals(Exit.OK, passes.code(), passes.out());

    Said stricter =
        run(
            "gate",
            recording,
            "--policy",
            release.resolve("vtdiag.yml").toString(),
            "--max-count",
            "0");
    assertEquals(Exit.FAIL, stricter.code(), stricter.out());
  }

  @ParameterizedTest
  @MethodSource("releases")
  void theBaselineStillKnowsItsFinding(Path release) throws IOException {
    // The same run: nothing is new, and with another finding's name in it something is.
    String recording = release.resolve("app.jfr.gz").toString();
    String baseline = release.resolve("baseline.json").toString();
    Said known = run("gate", recording, "--no-policy", "--baseline", baseline);
    assertEquals(Exit.OK, known.code(), known.out());
    Path other =
        Files.writeString(
            folder.resolve("other.json"),
            Files.readString(Path.of(baseline)).replace("Orders.place", "Orders.other"));
    Said unknown = run("gate", recording, "--no-policy", "--baseline", other.toString());
    assertEquals(Exit.FAIL, unknown.code(), unknown.out());
  }

  @Test
  void anAgentOfAnotherVersionIsNamed() {
    assertEquals(
        Optional.of(
            "app.jfr was recorded by the agent of vtdiag 1.0.0-rc1, and this is vtdiag 1.1.0: what"
                + " only one of them knows is missing; use both of one version"),
        ProductVersion.difference("app.jfr", "1.0.0-rc1", Optional.of("1.1.0")));
    for (String agent : new String[] {"1.1.0", "", "unknown"}) {
      assertEquals(
          Optional.empty(), ProductVersion.difference("app.jfr", agent, Optional.of("1.1.0")));
    }
    assertEquals(Optional.empty(), ProductVersion.difference("app.jfr", "1", Optional.empty()));
  }

  private static Said run(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    int code = Main.run(new Console(out, out, Style.PLAIN), arguments);
    return new Said(code, bytes.toString(UTF_8));
  }
}
