package io.github.vtdiag.cli;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.pin.Events;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
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

  /** Pins that a report calls harmless break no limit that it prints. */
  @Test
  void thePrintedGateLetsHarmlessClassLoadingPass() {
    Frame load = frame("com.example.Orders", "place", 3, 10);
    String strict = "vtdiag gate app.jfr --max-pin 50ms";
    assertEquals(strict, gate(new Pins()));
    assertEquals(strict, gate(new Pins().pin(1, 180, stack(load), method(0, load))));
    assertEquals(
        strict, gate(new Pins().pin(1, 50, stack(load), new PinCause.ClassLoading(0, load))));
    assertEquals(
        strict, gate(new Pins().pin(1, 201, stack(load), new PinCause.ClassLoading(0, load))));
    String lenient = "vtdiag gate app.jfr --max-pin 200ms";
    assertEquals(
        lenient, gate(new Pins().pin(1, 51, stack(load), new PinCause.ClassLoading(0, load))));
    Frame loader = frame("jdk.internal.loader.AbstractClassLoaderValue$Memoizer", "get", 3, 10);
    assertEquals(lenient, gate(new Pins().pin(1, 63, stack(loader, load), method(0, loader))));
  }

  /** No printed command has a placeholder: it would not run. */
  @Test
  void aProgramIsRecordedAgainAsItWasStarted() {
    assertEquals("vtdiag run --help", NextCommand.run(Optional.empty()));
    assertEquals(
        "vtdiag run -- -Xmx1g -jar 'my shop.jar' all",
        NextCommand.run(Optional.of(List.of("-Xmx1g", "-jar", "my shop.jar", "all"))));
    Findings hidden = new Pins().setting(Events.PINNED, false, 0, false).findings();
    assertEquals(
        List.of("vtdiag run -- -jar shop.jar"),
        AnalyzeCommand.next(
            hidden,
            List.of("app.jfr"),
            List.of(),
            false,
            List.of(),
            Optional.of(List.of("-jar", "shop.jar"))));
  }

  private static String gate(Pins pins) {
    return NextCommand.gate(List.of("app.jfr"), pins.findings()).text();
  }

  @Test
  void manyLongNamesAreWrittenToAFileWhichTheCommandReads() {
    String folder = "a-folder-with-a-long-name/";
    List<String> few = List.of(folder + "a.jar", folder.repeat(8) + "b.jar", folder + "c.jar");
    assertEquals("vtdiag scan " + String.join(" ", few), NextCommand.of("scan", few).text());

    List<String> many =
        IntStream.range(0, 17).mapToObj(i -> folder + "library-" + i + ".jar").toList();
    String text = NextCommand.of("scan", many).with("--recording", "app.jfr").text();
    assertTrue(text.startsWith("vtdiag scan @"), text);
    assertTrue(text.endsWith(" --recording app.jfr"), text);
    assertTrue(text.length() < 200, text);
  }
}
