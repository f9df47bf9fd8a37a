package io.github.vtdiag.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Effect;
import io.github.vtdiag.advice.Prediction;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.advice.Sharing;
import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdviceWordsTest {
  private static final String NO_FASTER =
      " This path itself gets no faster: most threads share one lock object.";

  private final Frame query = Pins.frame("com.example.Session", "query", 3, 10);
  private final Findings findings =
      new Pins().pin(1, 9_000, Pins.stack(query), Pins.method(1, query)).findings();

  private String summary(Recommendation recommendation, Sharing sharing, long freedNanos) {
    Freed freed = new Freed(freedNanos, 0);
    Effect effect = new Effect(freed, freed, freed, sharing, new Prediction.None(""));
    Advised advised =
        new Advised(
            findings.pins().getFirst(), recommendation, "reason", List.of(), effect, List.of());
    return AdviceWords.summary(
        new AdviceEntry(
            List.of(advised), recommendation, List.of(), freed, freed, freed, /* isMinor= */ false),
        findings);
  }

  @Test
  void aLockForEachThreadIsNoReasonToExpectNothing() {
    Recommendation rewrite = new Recommendation.Rewrite(List.of());
    for (Sharing sharing : List.of(Sharing.OWN_OBJECTS, Sharing.POOL, Sharing.NOT_SAMPLED)) {
      String said = summary(rewrite, sharing, 1_000_000_000);
      assertTrue(said.endsWith(" carrier-seconds."), said);
    }
    // The later version may have no lock there at all.
    String upgrade = summary(new Recommendation.UpgradeJdk(), Sharing.ONE_OBJECT, 1_000_000_000);
    assertTrue(upgrade.endsWith(" carrier-seconds."), upgrade);
  }

  @Test
  void oneLockForAllIsSaid() {
    Recommendation rewrite = new Recommendation.Rewrite(List.of());
    String said = summary(rewrite, Sharing.ONE_OBJECT, 1_000_000_000);
    assertEquals(said.length() - NO_FASTER.length(), said.indexOf(NO_FASTER), said);
  }
}
