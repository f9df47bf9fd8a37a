package io.github.vtdiag.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the checks of costs are made of can fail. */
class CostCheckTest {
  @TempDir private Path folder;

  private ProcessorTime run(int maxSeconds, String script)
      throws IOException, InterruptedException {
    return ProcessorTime.of(folder, Map.of(), maxSeconds, List.of("sh", "-c", script));
  }

  private ProcessorTime count(int maxSeconds, int to) throws IOException, InterruptedException {
    return run(maxSeconds, "i=0; while [ $i -lt " + to + " ]; do i=$((i+1)); done");
  }

  private static CostCheck check(double... ratios) {
    CostCheck check = new CostCheck("a", "b", 4);
    for (double ratio : ratios) {
      assertFalse(check.decided(), check::toString);
      check.add(ratio, 1);
    }
    assertTrue(check.decided(), check::toString);
    return check;
  }

  @Test
  void theMedianOfThreePairsDecides() {
    assertTrue(check(3.9, 4.1, 4.1).tooDear());
    assertTrue(check(4.1, 3.9, 7.9).tooDear());
    assertTrue(check(4.1, 4.2).tooDear());
    assertFalse(check(4.1, 3.9, 3.9).tooDear());
    assertFalse(check(3.3, 3.9).tooDear());
    assertFalse(check(3.9, 7.9, 2.1).tooDear());
  }

  @Test
  void onePairDecidesWhatIsFarOff() {
    assertTrue(check(8.1).tooDear());
    assertFalse(check(3.1).tooDear());
  }

  @Test
  void itSaysWhatItFound() {
    assertEquals(
        "[cost] a: 4.20 times the processor time of b (limit 4.0; pairs: 4.10, 4.20; last pair:"
            + " 4.20 and 1.00 s)",
        check(4.1, 4.2).toString());
  }

  @Test
  void whatComputesFiveTimesAsMuchIsTooDear() throws Exception {
    CostCheck check =
        CostCheck.of(
            "counting to a million",
            most -> count(most, 1_000_000),
            "counting to 200,000",
            most -> count(most, 200_000),
            2);
    assertTrue(check.tooDear(), check::toString);
  }

  @Test
  void waitingCostsNothing() throws Exception {
    ProcessorTime waits = run(10, "sleep 1; exit 5");
    assertTrue(waits.seconds() < 0.5, waits::toString);
    assertFalse(waits.cut());
    assertEquals(5, waits.run().exitCode());
  }

  @Test
  void whatTakesMoreThanItMayIsEnded() throws Exception {
    ProcessorTime endless = run(1, "while true; do :; done");
    assertTrue(endless.cut());
    // Two clocks of the kernel: what ends it counts exactly, what is told counts ticks.
    assertTrue(endless.seconds() >= 0.5, endless::toString);
  }
}
