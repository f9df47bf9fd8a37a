package io.github.vtdiag.agent.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnHangTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "on", "halt", "halt:", "halt:0", "halt:256", "halt:-1", "halt:x"})
  void refuses(String text) {
    AgentOptions.OptionException refused =
        assertThrows(AgentOptions.OptionException.class, () -> OnHang.parse(text));
    assertEquals(
        "onhang takes warn, dump, off or halt:CODE with a code from 1 to 255, not '" + text + "'",
        refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "warn", "dump", "halt:3"})
  void saysWhatItRead(String text) throws Exception {
    assertEquals(text, OnHang.parse(text).text());
  }

  @Test
  void haltDumpsToo() throws Exception {
    assertEquals(new OnHang(true, true, OptionalInt.of(3)), OnHang.parse("halt:3"));
  }
}
