package io.github.vtdiag.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.compare.SpeedVerdict;
import io.github.vtdiag.model.DataException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchTest {
  private static Bench.Variant variant(Double... perSecond) {
    Deque<Double> runs = new ArrayDeque<>(List.of(perSecond));
    return new Bench.Variant("variant", runs::removeFirst);
  }

  private static Outcome.Versus inTurns(Bench.Variant before, Bench.Variant after)
      throws DataException, InterruptedException {
    Path none = Path.of("none");
    try (Bench bench =
        new Bench(new Bench.Equipment(none, none, none, none), 21, false, what -> {})) {
      return bench.inTurns("label", before, after, 3);
    }
  }

  /** Its problem is told elsewhere; here it must not look like a figure. */
  @Test
  void aRunInWhichNothingCameOutRightHasNoRatio() throws Exception {
    for (Outcome.Versus versus :
        List.of(
            inTurns(variant(0.0, 10.0, 10.0), variant(100.0, 100.0, 100.0)),
            inTurns(variant(10.0, 10.0, 10.0), variant(0.0, 0.0, 0.0)),
            inTurns(variant(0.0, 0.0, 0.0), variant(0.0, 0.0, 0.0)))) {
      assertEquals(SpeedVerdict.NOT_ENOUGH_EVIDENCE, versus.verdict());
      assertTrue(versus.throughput().ratio().estimate().isEmpty());
    }
  }

  @Test
  void runsAreComparedPairByPair() throws Exception {
    Outcome.Versus versus = inTurns(variant(10.0, 11.0, 12.0), variant(20.0, 22.0, 24.0));
    assertEquals(SpeedVerdict.FASTER, versus.verdict());
    assertEquals(2, versus.throughput().ratio().estimate().orElseThrow(), 1e-9);
  }
}
