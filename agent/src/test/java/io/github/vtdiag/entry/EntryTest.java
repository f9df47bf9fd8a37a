package io.github.vtdiag.entry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.options.AgentOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryTest {
  @ParameterizedTest
  @CsvSource({"1.8,8", "9,9", "17,17", "21,21", "26,26", "'',0", "x,0", "1.,0", "21.0.8,0"})
  void theSpecificationsVersionTellsTheJava(String version, int feature) {
    assertEquals(feature, Entry.feature(version));
  }

  @Test
  void unknownOptionsAreNamedWhereTheAgentCannotRun() {
    assertEquals("; unknown option 'wran'", Entry.unknown("output=a.jfr,wran=5ms"));
    assertEquals("; unknown option ''; unknown option 'b'", Entry.unknown(",b"));
    assertEquals("", Entry.unknown(String.join("=1,", Entry.OPTIONS)));
    assertEquals("", Entry.unknown(null));
    assertEquals("", Entry.unknown(" "));
  }

  /** The list is there twice, because Java 8 cannot load the other one. */
  @Test
  void theOptionsAreThoseOfTheAgent() {
    String refusal =
        assertThrows(
                AgentOptions.OptionException.class, () -> AgentOptions.parse(null, "colour=red"))
            .getMessage();
    assertEquals(
        "unknown option 'colour'; known options: " + String.join(", ", Entry.OPTIONS), refusal);
  }

  @Test
  void onErrorIsFoundAmongOptionsThatCannotBeRead() {
    assertTrue(Entry.asksToFail(null, "colour=red,onerror=fail"));
    assertTrue(Entry.asksToFail("onerror=fail", "colour=red"));
    assertFalse(Entry.asksToFail("onerror=fail", "colour=red,onerror=continue"));
    assertFalse(Entry.asksToFail(null, "output=onerror=fail"));
    assertFalse(Entry.asksToFail(null, null));
  }

  @Test
  void anotherJvmThanHotspotIsNamed() {
    assertEquals(
        "this JVM is Eclipse OpenJ9 VM, but vtdiag knows HotSpot's virtual threads only",
        Entry.obstacle("Eclipse OpenJ9 VM"));
    assertNull(Entry.obstacle("OpenJDK 64-Bit Server VM"));
  }
}
