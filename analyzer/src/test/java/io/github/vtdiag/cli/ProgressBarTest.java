package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ProgressBarTest {
  private static final String CLEAR = "\r\u001b[K";

  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
  private long millis;

  private ProgressBar bar(long total) {
    return new ProgressBar(
        new PrintStream(terminal, true, StandardCharsets.UTF_8), total, () -> millis * 1_000_000);
  }

  private String shown() {
    String text = terminal.toString(StandardCharsets.UTF_8);
    terminal.reset();
    return text;
  }

  @Test
  void shortWorkShowsNothing() {
    try (ProgressBar bar = bar(100)) {
      millis = 999;
      bar.add(100);
    }
    assertEquals("", shown());
  }

  @Test
  void longWorkIsShownNowAndThenAndClearedAtItsEnd() {
    try (ProgressBar bar = bar(100 << 20)) {
      bar.add(10 << 20);
      millis = 1_000;
      bar.add(40 << 20);
      assertEquals(CLEAR + "reading [###############               ] 50 of 100 MB  50%", shown());
      millis = 1_099;
      bar.add(1 << 20);
      assertEquals("", shown());
      millis = 1_100;
      bar.add(99 << 20);
      assertEquals(CLEAR + "reading [##############################] 150 of 100 MB  100%", shown());
    }
    assertEquals(CLEAR, shown());
  }

  @Test
  void withoutATotalItTellsWhatWasRead() {
    try (ProgressBar bar = bar(-1)) {
      millis = 2_000;
      bar.add(3 << 20);
      assertEquals(CLEAR + "reading 3 MB", shown());
    }
  }

  @Test
  void withoutATerminalItIsSilent() {
    try (ProgressBar bar = new ProgressBar(null, 1, () -> millis)) {
      millis = Long.MAX_VALUE / 2;
      bar.add(1);
    }
    assertEquals("", shown());
  }
}
