package vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vtdiag.testing.Forked;
import vtdiag.testing.Jdk;

/** A short coverage-guided fuzzing of the reader; docs/fuzzing.md tells how to run a long one. */
final class ReaderFuzzIT {
  private static final Pattern DONE = Pattern.compile("Done (\\d+) runs in \\d+ second");
  private static final Pattern COVERAGE = Pattern.compile("cov: (\\d+)");

  @TempDir Path directory;

  @Test
  void theReaderWithstandsTheFuzzer() throws Exception {
    Path corpus = Files.createDirectory(directory.resolve("corpus"));
    for (Jvms jvm : Jvms.values()) {
      for (String program : List.of("once", "agent")) {
        // A chunk each: small enough for thousands of runs a minute.
        Path recording = jvm.record("default", program);
        Files.copy(recording, corpus.resolve(recording.getFileName()));
      }
    }
    Forked fuzzed =
        Forked.java(
            Jdk.JAVA_25,
            directory,
            Map.of(),
            "-Xmx512m",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath(),
            "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + ReaderFuzzer.class.getName(),
            "--instrumentation_includes=vtdiag.**",
            "--disabled_hooks=.*",
            corpus.toString(),
            "-max_total_time=20",
            "-max_len=1000000",
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-seed=1");
    String log = fuzzed.err();
    assertEquals(0, fuzzed.exitCode(), log);
    Matcher done = DONE.matcher(log);
    assertTrue(done.find() && Integer.parseInt(done.group(1)) > 20, log);
    // Without instrumentation it would only guess.
    int coverage =
        COVERAGE.matcher(log).results().mapToInt(m -> Integer.parseInt(m.group(1))).max().orElse(0);
    assertTrue(coverage > 300, log);
  }

  private static String classPath() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(all.split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
