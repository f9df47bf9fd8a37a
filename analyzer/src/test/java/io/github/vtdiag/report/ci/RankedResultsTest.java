package io.github.vtdiag.report.ci;

import static io.github.vtdiag.analysis.Pins.block;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pins of Db.execute, some of which hold the lock of Pool.with as well. */
final class RankedResultsTest {
  private static final Frame PARK = frame("java.lang.VirtualThread", "park", 7, 582);
  private static final Frame EXECUTE = frame("com.example.Db", "execute", 20, 326);
  private static final Frame POOL = frame("com.example.Pool", "with", 5, 77);
  private static final StackTrace ALONE = stack(PARK, EXECUTE);
  private static final StackTrace NESTED = stack(PARK, EXECUTE, POOL);

  private static List<String> lines(String path, int line, Pins pins) {
    return lines("", path, line, pins);
  }

  private static List<String> lines(String message, String path, int line, Pins pins) {
    return RankedResults.of(
            List.of(new ForeignResults.Result("tool", "rule", message, path, line, line)),
            0,
            pins.findings())
        .lines(10);
  }

  private static Pins nested(Pins pins) {
    return pins.pin(1, 30, NESTED, block(1, EXECUTE, 2, 330), block(2, POOL, 2, 80));
  }

  @Test
  void aLockThatPinsDoNotHoldIsNotListed() {
    assertEquals(
        List.of("Of 1 result 0 name a lock that pinned carriers in this run."),
        lines(
            "com/example/Pool.java", 78, new Pins().pin(1, 30, ALONE, block(1, EXECUTE, 2, 330))));
  }

  @Test
  void aLockThatSomeOfThePinsHoldIsNotChargedWithAllOfThem() {
    assertEquals(
        List.of(
            "Of 1 result 1 names a lock that pinned carriers in this run.",
            "",
            "  1  com/example/Pool.java:78  at most 90 ms  1 pin",
            "       com.example.Pool.with",
            "       tool rule"),
        lines(
            "com/example/Pool.java",
            78,
            nested(
                new Pins()
                    .pin(2, 30, ALONE, block(1, EXECUTE, 2, 330))
                    .pin(3, 30, ALONE, block(1, EXECUTE, 2, 330)))));
  }

  @Test
  void theMethodOfTheResultIsNamedAndNotTheOneInside() {
    assertEquals(
        List.of("  1  com/example/Pool.java:78  30 ms  1 pin", "       com.example.Pool.with"),
        lines("com/example/Pool.java", 78, nested(new Pins())).subList(2, 4));
  }

  @Test
  void theLockThatEachPinHoldsHasAllOfThem() {
    assertEquals(
        List.of("  1  com/example/Db.java:326  60 ms  2 pins", "       com.example.Db.execute"),
        lines(
                "com/example/Db.java",
                326,
                nested(new Pins().pin(2, 30, ALONE, block(1, EXECUTE, 2, 330))))
            .subList(2, 4));
  }

  /** A message of several lines, such as vtdiag's own, stood there with its line breaks escaped. */
  @Test
  void aMessageIsItsFirstLine() {
    for (String message : List.of("waits here", "\nwaits here\r\nbecause of this\n")) {
      assertEquals(
          "       tool rule: waits here",
          lines(message, "com/example/Pool.java", 78, nested(new Pins())).getLast());
    }
  }

  @Test
  void aFileThatIsNotThereIsSaidNotToBe() {
    Path none = Path.of("none", "findings.sarif");
    DataException e = assertThrows(DataException.class, () -> ForeignResults.read(none));
    assertEquals("there is no file " + none, e.getMessage());
  }
}
