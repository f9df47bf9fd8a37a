package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.JavaRelease;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LiveEventsTest {
  /** Of a command that a JVM of Java 21 understands, without what stands before the settings. */
  private static final int MOST = 1024 - 150;

  @ParameterizedTest
  @ValueSource(ints = {21, 23, 24, 25})
  void noCommandIsTooLong(int jdk) {
    for (List<String> settings : LiveEvents.recordings(jdk)) {
      String command = String.join(" ", settings);
      assertTrue(command.length() < MOST, command);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {21, 25})
  void monitorsAreRecordedWhereTheyPin(int jdk) {
    boolean recorded =
        LiveEvents.recordings(jdk).stream()
            .flatMap(List::stream)
            .anyMatch(setting -> setting.contains(Events.MONITOR_ENTER));
    assertEquals(jdk < JavaRelease.UNPINNED_MONITORS, recorded);
  }
}
