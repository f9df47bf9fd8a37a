package io.github.vtdiag.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.upgrade.MavenVersion;
import java.util.List;
import org.junit.jupiter.api.Test;

class VersionOrderTest {
  private static final List<String> VERSIONS =
      List.of(
          "1.9",
          "1.10",
          "1",
          "1.0",
          "1.0.0",
          "1.0.1",
          "1.0-alpha-1",
          "1.0-alpha-2",
          "1.0-beta-1",
          "1.0-rc1",
          "1.0-RC2",
          "1.0-SNAPSHOT",
          "1.0.Final",
          "2.0-M1",
          "2.0",
          "10.0",
          "20030825.184428",
          "0.9");

  @Test
  void theTextsAreInMavensOrder() {
    for (String one : VERSIONS) {
      for (String other : VERSIONS) {
        assertEquals(
            Integer.signum(MavenVersion.compare(one, other)),
            Integer.signum(VersionOrder.key(one).compareTo(VersionOrder.key(other))),
            one + " and " + other);
      }
    }
  }

  @Test
  void noVersionIsNoText() {
    assertEquals("", VersionOrder.key(""));
  }
}
