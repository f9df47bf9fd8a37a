package io.github.vtdiag.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.upgrade.VersionCheck;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class UpgradeWordsTest {
  private static Upgrade upgrade(String library, String note) {
    return new Upgrade(
        new Coordinates("com.example", "db", "1.0"),
        "com.example:db",
        List.of(),
        List.of(new VersionCheck(library, "2.0", Map.of(), List.of())),
        Optional.of("2.0"),
        Optional.empty(),
        Optional.empty(),
        0,
        1,
        List.of(note));
  }

  @Test
  void aNameKeepsItsLettersAtTheBeginningOfASentence() {
    assertEquals(
        "com.example:db 2.1 has no classes.",
        UpgradeWords.lines(upgrade("com.example:db", "com.example:db 2.1 has no classes"))
            .getLast());
    assertEquals(
        "No other version could be read.",
        UpgradeWords.lines(upgrade("com.example:db", "no other version could be read")).getLast());
  }

  @Test
  void aVersionUnderAnotherNameHasItsName() {
    String start = " (newest): none of the methods";
    assertEquals(0, line("com.example:db").indexOf("2.0" + start));
    assertEquals(0, line("com.example:db-jvm").indexOf("com.example:db-jvm 2.0" + start));
  }

  private static String line(String library) {
    return UpgradeWords.lines(upgrade(library, "x")).get(1);
  }
}
