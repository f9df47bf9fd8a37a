package vtdiag.baseline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vtdiag.analysis.Pins.MILLI;
import static vtdiag.analysis.Pins.frame;
import static vtdiag.analysis.Pins.method;
import static vtdiag.analysis.Pins.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vtdiag.analysis.Pins;
import vtdiag.model.DataException;
import vtdiag.model.Frame;
import vtdiag.pin.Events;

class DifferenceTest {
  private static final Frame DB = frame("com.example.Db", "execute", 20, 326);

  private static Pins pins(int count, long millis) {
    return pins(new Pins(), DB, count, millis);
  }

  private static Pins pins(Pins to, Frame frame, int count, long millis) {
    for (int i = 0; i < count; i++) {
      to.pin(1, millis, stack(frame), method(0, frame));
    }
    return to;
  }

  private static Difference difference(Pins before, Pins after) {
    return Difference.of(
        SeenRun.of("before", before.findings()),
        SeenRun.of("after", after.findings()),
        Tolerance.NORMAL);
  }

  private static List<String> changes(Pins before, Pins after) {
    return difference(before, after).changes().stream()
        .filter(Change::notable)
        .map(change -> change.kind() + " " + change.identity().number() + " " + change.in())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    // The longest may double and take 500 ms more, the count may double and ten more be there.
    "20, 50, 20, 90, SAME 1 []",
    "20, 50, 50, 50, SAME 1 []",
    "4, 50, 4, 600, SAME 1 []",
    "4, 50, 4, 601, WORSE 1 [LONGEST]",
    "5, 50, 5, 120, SAME 1 []",
    "5, 50, 5, 121, WORSE 1 [MEDIAN]",
    "20, 50, 20, 121, WORSE 1 [MEDIAN]",
    "20, 50, 51, 50, WORSE 1 [COUNT]",
    "4, 601, 4, 50, BETTER 1 [LONGEST]",
    "51, 50, 20, 50, BETTER 1 [COUNT]",
  })
  void whatChanceExplainsIsTheSame(
      int count, long millis, int count2, long millis2, String change) {
    assertEquals(List.of(change), changes(pins(count, millis), pins(count2, millis2)));
  }

  @Test
  void aFewShortPinsThatOnlyOneRunHasMayBeChance() {
    assertEquals(List.of(), changes(new Pins(), pins(2, 50)));
    assertEquals(List.of(), changes(pins(10, 10), new Pins()));
    assertEquals(List.of("NEW 1 []"), changes(new Pins(), pins(1, 101)));
    assertEquals(List.of("NEW 1 []"), changes(new Pins(), pins(11, 1)));
    assertEquals(List.of("GONE 1 []"), changes(pins(11, 1), new Pins()));
  }

  @Test
  void aNewOneBeforeAnAcceptedOneInTheSameMethodIsNew() {
    Frame first = frame("com.example.Db", "lambda$run$0", 20, 326);
    Frame second = frame("com.example.Db", "lambda$run$1", 20, 326);
    Pins before = pins(new Pins(), first, 5, 900);
    // The one that was there has another number now, and the new one has its.
    Pins after = pins(pins(new Pins(), first, 30, 10), second, 5, 900);
    assertEquals(List.of("NEW 1 []", "SAME 2 []"), changes(before, after));
    Pins shifted = pins(new Pins(), second, 5, 900);
    assertEquals(List.of("SAME 1 []"), changes(before, shifted));
  }

  @Test
  void runsThatWereRecordedOtherwiseCannotBeCompared() {
    assertEquals(List.of(), difference(pins(1, 5), pins(1, 5)).obstacles());
    assertEquals(
        List.of("Java 21 ran before, and 25 after"),
        difference(pins(1, 5), pins(1, 5).jdk(25)).obstacles());
    assertEquals(
        List.of(
            "jdk.VirtualThreadPinned was recorded whole before, and recorded from 20 ms on after"),
        difference(pins(1, 5), pins(1, 50).setting(Events.PINNED, true, 20 * MILLI, true))
            .obstacles());
    assertEquals(
        List.of("jdk.VirtualThreadPinned was off before, and recorded whole after"),
        difference(pins(1, 5).setting(Events.PINNED, false, 0, true), pins(1, 5)).obstacles());
    assertEquals(
        List.of("neither run recorded jdk.VirtualThreadPinned"),
        difference(
                new Pins().setting(Events.PINNED, false, 0, true),
                new Pins().setting(Events.PINNED, false, 0, true))
            .obstacles());
    assertEquals(
        List.of("only the run after had a watch over the carriers all the time"),
        difference(pins(1, 5).unwatched(), pins(1, 5)).obstacles());
    assertEquals(
        List.of("only the run before was made under a what-if"),
        difference(pins(1, 5).agentOptions("rewrite=auto"), pins(1, 5)).obstacles());
  }

  @Test
  void aBaselineComesBackAsItWas(@TempDir Path folder) throws Exception {
    SeenRun run = SeenRun.of("app.jfr", pins(3, 50).findings());
    Path file = folder.resolve("b.json");
    Files.writeString(file, BaselineFile.text(run));
    assertEquals(run, BaselineFile.read(file));
    assertTrue(Difference.of(run, BaselineFile.read(file), Tolerance.NORMAL).obstacles().isEmpty());
  }

  @Test
  void anotherVersionOfTheFormatIsRefusedWithTheCommandThatMakesOne(@TempDir Path folder)
      throws IOException {
    SeenRun run = SeenRun.of("app.jfr", pins(3, 50).findings());
    Path file = folder.resolve("b.json");
    Files.writeString(
        file, BaselineFile.text(run).replace("\"vtdiagBaseline\" : 1", "\"vtdiagBaseline\" : 2"));
    assertEquals(
        file
            + ": has version 2 of the format, and this vtdiag reads version 1; make a new one:"
            + " vtdiag baseline FILE... -o "
            + file,
        assertThrows(DataException.class, () -> BaselineFile.read(file)).getMessage());
  }

  @Test
  void whatIsNoBaselineIsRefusedWithItsName(@TempDir Path folder) throws IOException {
    String whole = BaselineFile.text(SeenRun.of("app.jfr", pins(3, 50).findings()));
    Path file = folder.resolve("b.json");
    for (String text :
        List.of(
            "",
            "[]",
            "{}",
            "nonsense",
            "{\"vtdiagBaseline\": \"1\"}",
            "{\"vtdiagBaseline\": 1}",
            "[".repeat(5_000),
            whole.replace("\"count\"", "\"c\""),
            whole.replace("\"identity\"", "\"i\""),
            whole.replace("21", "\"x\"").replace("\"java\"", "\"j\""),
            whole.substring(0, whole.length() / 2))) {
      Files.writeString(file, text);
      String message =
          assertThrows(DataException.class, () -> BaselineFile.read(file), text).getMessage();
      assertTrue(message.startsWith(file + ": "), message);
      assertTrue(message.contains("vtdiag baseline FILE... -o "), message);
      assertFalse(message.contains("\n"), message);
    }
    assertTrue(
        assertThrows(DataException.class, () -> BaselineFile.read(folder.resolve("none.json")))
            .getMessage()
            .contains("none.json: no such file; make a new one: vtdiag baseline"));
  }
}
