package io.github.vtdiag.report.words;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChangeWordsTest {
  @Test
  void anIdentityOfAnotherVersionHasNoKind() {
    assertEquals("", PinKind.title(new Identity("a.B.c", 1)));
    assertEquals("", PinKind.title(new Identity("", 1)));
    assertEquals("waits inside a monitor", PinKind.title(new Identity("MONITOR java.A", 1)));
  }

  @Test
  void theThreadsInsideAMonitorAreToldFromThoseThatWaitForIt() {
    Frame write = frame("org.pets.VisitLog", "write", 4, 40);
    Frame sleep = frame("java.lang.Thread", "sleep", 9, 500);
    Pins pins = new Pins();
    for (int i = 0; i < 20; i++) {
      pins.pin(1, 50, stack(sleep, write), method(1, write));
      pins.pin(2, 50, stack(write), new PinCause.MonitorEntry(write, "org.pets.VisitLog"));
    }
    Difference difference =
        Difference.of(
            RunSummary.of("before", pins.findings()),
            RunSummary.of("after", new Pins().findings()),
            Tolerance.NORMAL);
    assertEquals(
        List.of(
            "gone: org.pets.VisitLog.write, waits inside a synchronized method, 20 pins, longest"
                + " 50 ms",
            "gone: org.pets.VisitLog.write, waits to enter a monitor, 20 pins, longest 50 ms"),
        Formats.TEXT
            .write(new Report.Changed(difference, Detail.BRIEF), Style.PLAIN)
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("gone: "))
            .sorted()
            .toList());
  }
}
