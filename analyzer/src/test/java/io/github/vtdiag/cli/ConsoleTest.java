package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.report.Style;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ConsoleTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8),
          Style.PLAIN);

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aNoteStaysOnItsLine() {
    console.warn("reading a\r\nvtdiag: PASS \u001b[2J\u009bm \ud800.jfr");
    assertEquals("vtdiag: reading a\\r\\nvtdiag: PASS \\u001b[2J\\u009bm \\ud800.jfr\n", said());
  }

  @Test
  void aTraceHasNoLineThatAMessageMade() {
    console.trace(
        new IllegalStateException("outer\nvtdiag: PASS", new RuntimeException("\u001b[2J")));
    assertTrue(
        said().startsWith("java.lang.IllegalStateException: outer\\nvtdiag: PASS\n    at "),
        said());
    assertTrue(said().contains("\nCaused by: java.lang.RuntimeException: \\u001b[2J\n"), said());
  }

  @Test
  void aCircleOfCausesEnds() {
    RuntimeException one = new RuntimeException("one");
    one.initCause(new RuntimeException("other", one));
    console.trace(one);
    assertTrue(said().contains("Caused by: java.lang.RuntimeException: other"), said());
  }
}
