package samples.hangs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Jdk;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each program stands still where it is said to, and ends where it is not; so does its twin. */
class HangsIT {
  @TempDir Path folder;

  static Stream<Arguments> everywhere() {
    return Stream.of(Jdk.values())
        .flatMap(jdk -> Hang.all().stream().map(hang -> Arguments.of(hang, jdk)));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("everywhere")
  void standsStillWhereItIsSaidTo(Hang hang, Jdk jdk) throws Exception {
    List<String> command = hang.command(jdk);
    try (Started started = Started.of(folder, command)) {
      assertEquals(hang.on().contains(jdk), started.standsStill(), started::line);
      if (started.standsStill()) {
        assertTrue(started.process().isAlive());
      } else {
        assertEquals(0, started.exitCode());
      }
    }
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("everywhere")
  void theTwinEnds(Hang hang, Jdk jdk) throws Exception {
    try (Started twin = Started.of(folder, hang.healthy().command(jdk, "-Dhold=20"))) {
      assertTrue(twin.line().startsWith("ended: "), twin::line);
      assertEquals(0, twin.exitCode());
    }
  }
}
