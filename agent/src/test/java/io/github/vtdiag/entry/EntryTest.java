package io.github.vtdiag.entry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  void onErrorIsFoundAmongOptionsThatCannotBeRead() {
    assertTrue(Entry.asksToFail(null, "colour=red,onerror=fail"));
    assertTrue(Entry.asksToFail("onerror=fail", "colour=red"));
    assertFalse(Entry.asksToFail("onerror=fail", "colour=red,onerror=continue"));
    assertFalse(Entry.asksToFail(null, "output=onerror=fail"));
    assertFalse(Entry.asksToFail(null, null));
  }
}
