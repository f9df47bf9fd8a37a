package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class NextCommandTest {
  @Test
  void wordsAreQuotedOnlyWhereAShellWouldTakeThemApart() {
    assertEquals("lib/app-1.0.jar:x", NextCommand.quoted("lib/app-1.0.jar:x"));
    assertEquals("'my app.jar'", NextCommand.quoted("my app.jar"));
    assertEquals("'it'\\''s'", NextCommand.quoted("it's"));
    assertEquals("'lib/*'", NextCommand.quoted("lib/*"));
    assertEquals("'$HOME'", NextCommand.quoted("$HOME"));
    assertEquals("''", NextCommand.quoted(""));
  }

  @Test
  void aShortClassPathStandsInTheCommand() {
    assertEquals(
        "vtdiag advise 'a b.jfr' --classpath app.jar --sources src",
        NextCommand.of("advise", List.of("a b.jfr"))
            .withOptions(List.of("--classpath", "app.jar"))
            .with("--sources", "src")
            .text());
  }
}
