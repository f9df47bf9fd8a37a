package io.github.vtdiag.agent.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RecordingNameTest {
  @Test
  void aHostThatIsNoFileNameLeadsNowhere() {
    assertEquals("_.._etc_passwd", RecordingName.plain("/../etc/passwd"));
    assertEquals("host", RecordingName.plain(" .. "));
    assertEquals(100, RecordingName.plain("x".repeat(1_000)).length());
    assertEquals("shop-7f9c", RecordingName.plain("shop-7f9c\n"));
  }

  @Test
  void aFolderGetsAFileOfThisJvm() {
    assertEquals("app.jfr", RecordingName.of("app.jfr"));
    String name = RecordingName.of("rec/");
    assertTrue(name.matches("rec/[A-Za-z0-9._-]+-\\d+-\\d{8}-\\d{6}\\.jfr"), name);
  }
}
