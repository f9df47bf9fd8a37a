package samples.hangs;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.testing.WarmCommandLine;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What stands still is told by the agent and by {@code hang} while it does, and afterwards by the
 * exit summary, {@code analyze} and {@code gate}. None of them passes it, and all say the same of
 * it. Nobody tells of a twin, which ends.
 */
class AgreementIT {
  private static final int FAILED = 1;

  /** Looks for what the agent says; far more than it needs. */
  private static final int LOOKS = 6_000;

  private static final long LOOK_NANOS = 20_000_000;

  @TempDir static Path folder;

  static Stream<Arguments> hangs() {
    return Stream.of(Jdk.values())
        .flatMap(
            jdk ->
                Hang.all().stream()
                    .filter(hang -> hang.on().contains(jdk))
                    .map(hang -> Arguments.of(hang, jdk)));
  }

  private static String key(Hang hang, Jdk jdk) {
    return (hang + "-" + jdk).replaceAll("[^\\w]+", "-");
  }

  private static Path recording(Hang hang, Jdk jdk) {
    return folder.resolve(key(hang, jdk) + ".jfr");
  }

  private static String[] options(Path recording) {
    return new String[] {
      "-javaagent:"
          + Jdks.projectFolder().resolve("agent/target/vtdiag.jar")
          + "=output="
          + recording,
      "-Xmx64m"
    };
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("hangs")
  void allTellOfWhatStandsStill(Hang hang, Jdk jdk) throws Exception {
    Path recording = recording(hang, jdk);
    Forked asked;
    String errors;
    try (Started started = Started.of(folder, hang.command(jdk, options(recording)))) {
      assertTrue(started.standsStill(), started::line);
      awaitTold(started, hang.told());
      asked = vtdiag("hang", Long.toString(started.process().pid()), "--interval", "200ms");
      assertNotEquals(0, started.terminate());
      errors = started.errors();
    }
    Forked analyzed = vtdiag("analyze", recording.toString());
    // A deadlock is worse than any limit; other waits are as long as they are.
    Forked gated =
        vtdiag("gate", recording.toString(), "--max-pin", hang.isDeadlock() ? "1h" : "100ms");
    String summary =
        hang.isDeadlock()
            ? "(?s).*hung when it ended: (probably a )?" + hang.told() + ".*"
            : "(?s).*had not ended.*";
    assertAll(
        // SQLite wakes up now and then: it waits, or that is not known; but all is not well.
        () ->
            assertTrue(
                asked.exitCode() == 1 || (asked.exitCode() == 4 && !hang.isDeadlock()),
                asked.out() + asked.err()),
        () -> assertTrue(!hang.isDeadlock() || asked.out().contains(word(hang.told())), asked::out),
        () -> assertTrue(errors.matches(summary), errors),
        () -> assertEquals(0, analyzed.exitCode(), analyzed::err),
        () -> assertTrue(!hang.isDeadlock() || analyzed.out().contains(hang.told()), analyzed::out),
        () -> assertNotEquals(0, gated.exitCode(), gated::out),
        () -> assertFalse(gated.out().startsWith("PASS"), gated::out));
  }

  static Stream<Arguments> twins() {
    return Hang.all().stream()
        .flatMap(
            hang ->
                (hang.on().size() == 1 ? hang.on().stream() : EitherJdk.Choice.of(hang.toString()))
                    .map(jdk -> Arguments.of(hang, jdk)));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("twins")
  void nobodyTellsOfATwin(Hang hang, Jdk jdk) throws Exception {
    Path recording = folder.resolve("twin-" + key(hang, jdk) + ".jfr");
    List<String> command = hang.healthy().command(jdk, options(recording));
    command.add(1, "-Dhold=100");
    try (Started twin = Started.of(folder, command)) {
      assertEquals(0, twin.exitCode());
      String errors = twin.errors();
      assertFalse(errors.contains("deadlock") || errors.contains("starved"), errors);
    }
    // It may end before anybody could look, which is no verdict; but it is never a failure.
    Forked gated = vtdiag("gate", recording.toString(), "--max-pin", "1h");
    assertNotEquals(FAILED, gated.exitCode(), gated::out);
  }

  /** What {@code vtdiag hang} calls it. */
  private static String word(String told) {
    return told.replace(": ", "").toUpperCase(Locale.ROOT);
  }

  private static void awaitTold(Started started, String told) throws Exception {
    for (int look = 0; look < LOOKS && started.process().isAlive(); look++) {
      if (started.errors().contains(told)) {
        return;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    throw new AssertionError("not told '" + told + "': " + started.errors());
  }

  private static Forked vtdiag(String... arguments) throws Exception {
    return WarmCommandLine.run(Jdk.JAVA_25, arguments);
  }
}
