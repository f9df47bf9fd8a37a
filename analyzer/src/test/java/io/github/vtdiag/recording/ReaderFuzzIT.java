package io.github.vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A short coverage-guided fuzzing of the reader; docs/contributing.md tells how to run a long one.
 */
@Tag("full")
final class ReaderFuzzIT {
  private static final Pattern DONE = Pattern.compile("Done (\\d+) runs in \\d+ second");
  private static final Pattern COVERAGE = Pattern.compile("cov: (\\d+)");

  @TempDir Path directory;

  @Test
  void aSmallChunk() throws Exception {
    // Most of a JVM's chunk describes types that vtdiag passes over; this one is read in no time.
    byte[] chunk =
        SyntheticRecordingTest.shuffled()
            .constants(5, SyntheticRecordingTest.constants(17))
            .event(
                SyntheticRecordingTest.PINNED, out -> SyntheticRecordingTest.pin(out, 8, 7, 1_000))
            .build();
    fuzz(Files.write(corpus().resolve("small.jfr"), chunk).getParent(), 6);
  }

  @Test
  void recordingsOfBothJvms() throws Exception {
    Path corpus = corpus();
    for (Jvms jvm : Jvms.values()) {
      for (String program : List.of("once", "agent")) {
        Path recording = jvm.record("default", program);
        Files.copy(recording, corpus.resolve(recording.getFileName()));
      }
    }
    fuzz(corpus, 9);
  }

  private Path corpus() throws Exception {
    return Files.createDirectory(directory.resolve("corpus"));
  }

  private void fuzz(Path corpus, int seconds) throws Exception {
    Forked fuzzed =
        Forked.java(
            Jdk.JAVA_25,
            directory,
            "-Xmx512m",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath(),
            "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + ReaderFuzzer.class.getName(),
            "--instrumentation_includes=io.github.vtdiag.jfr.**:io.github.vtdiag.recording.**",
            "--disabled_hooks=.*",
            corpus.toString(),
            "-max_total_time=" + seconds,
            "-max_len=1000000",
            "-timeout=20",
            "-rss_limit_mb=2048",
            "-seed=1");
    String log = fuzzed.err();
    assertEquals(0, fuzzed.exitCode(), log);
    Matcher done = DONE.matcher(log);
    // How many is the machine's business.
    assertTrue(done.find() && Integer.parseInt(done.group(1)) > 0, log);
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
