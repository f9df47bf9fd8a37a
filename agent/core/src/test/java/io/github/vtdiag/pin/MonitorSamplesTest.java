package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.vtdiag.model.MonitorObject;
import io.github.vtdiag.model.MonitorSample.HolderFrame;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MonitorSamplesTest {
  @ParameterizedTest
  @ValueSource(strings = {"A", "A m", "A m x", "A m 1 B", "A m 1 B@xyz"})
  void whatIsNoSampleIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> MonitorSamples.parse(text));
  }

  @Test
  void whatIsWrittenReadsAsItself() {
    List<HolderFrame> frames =
        List.of(
            new HolderFrame(
                "a.B$C",
                "<init>",
                12,
                List.of(new MonitorObject("a.L", -1), new MonitorObject("[I", 0))),
            new HolderFrame("d.E", "f", 0, List.of(new MonitorObject("a.L", 77))));
    assertEquals(frames, MonitorSamples.parse(MonitorSamples.write(frames)));
    assertEquals(List.of(), MonitorSamples.parse(MonitorSamples.write(List.of())));
  }
}
