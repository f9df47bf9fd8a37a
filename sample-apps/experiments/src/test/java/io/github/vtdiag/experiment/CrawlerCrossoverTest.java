package io.github.vtdiag.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.experiment.CrawlerCrossover.Point;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CrawlerCrossoverTest {
  private static final Point ARTICLE_0 = new Point(0, 3_736, 4_172);
  private static final Point ARTICLE_1 = new Point(1, 3_482, 3_287);
  private static final Point ARTICLE_10 = new Point(10, 3_587, 826);

  @Test
  void whereVirtualThreadsAreAheadFromTheStartThereIsNone() {
    var crossover = CrawlerCrossover.of(List.of(ARTICLE_1, ARTICLE_10));
    assertEquals(OptionalDouble.empty(), crossover.millis());
    assertTrue(crossover.virtualAtLast());
  }

  @Test
  void whereThePoolIsAheadToTheEndThereIsNone() {
    var crossover = CrawlerCrossover.of(List.of(ARTICLE_0, new Point(1, 1_000, 1_001)));
    assertEquals(OptionalDouble.empty(), crossover.millis());
    assertFalse(crossover.virtualAtLast());
  }

  /** One that is lost again is none. */
  @Test
  void aCrossoverThatDoesNotLastIsNone() {
    var crossover = CrawlerCrossover.of(List.of(ARTICLE_0, ARTICLE_1, new Point(2, 1_000, 1_001)));
    assertEquals(OptionalDouble.empty(), crossover.millis());
    assertFalse(crossover.virtualAtLast());
  }

  /** A task takes 10 ms on a virtual thread, and 5 ms and the delay on the pool. */
  @Test
  void timePerTaskIsWhatIsInterpolated() {
    var crossover = CrawlerCrossover.of(List.of(new Point(0, 100, 200), new Point(20, 100, 40)));
    assertEquals(5, crossover.millis().orElseThrow(), 1e-9);
  }

  @Test
  void ofSeveralTheLastCounts() {
    var crossover =
        CrawlerCrossover.of(
            List.of(
                new Point(0, 100, 200),
                new Point(1, 100, 50),
                new Point(2, 100, 200),
                new Point(4, 100, 200.0 / 3)));
    assertEquals(3, crossover.millis().orElseThrow(), 1e-9);
  }

  @Test
  void theArticlesIsBelowOneMillisecond() {
    var crossover = CrawlerCrossover.of(List.of(ARTICLE_0, ARTICLE_1, ARTICLE_10));
    assertEquals(0.62, crossover.millis().orElseThrow(), 0.01);
  }
}
