package io.github.vtdiag.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RatioTest {
  private static final double EXACT = 1e-9;

  @Test
  void onePairHasNoInterval() {
    assertThrows(
        IllegalArgumentException.class, () -> Ratio.of(new double[] {1}, new double[] {2}));
  }

  @Test
  void pairsAreComplete() {
    assertThrows(
        IllegalArgumentException.class, () -> Ratio.of(new double[] {1, 1}, new double[] {2}));
  }

  /** Logarithms 0.1 to 0.5: mean 0.3, standard error 0.1/sqrt(2), t of 4 at 97.5% is 2.7764451. */
  @Test
  void theIntervalIsThatOfStudentsT() {
    double[] before = {10, 20, 30, 40, 50};
    double[] after = new double[5];
    for (int i = 0; i < 5; i++) {
      after[i] = before[i] * Math.exp((i + 1) / 10.0);
    }
    Ratio ratio = Ratio.of(before, after);
    double half = 2.7764451051977987 * 0.1 / Math.sqrt(2);
    assertEquals(Math.exp(0.3), ratio.estimate().orElseThrow(), EXACT);
    assertEquals(Math.exp(0.3 - half), ratio.low(), EXACT);
    assertEquals(Math.exp(0.3 + half), ratio.high(), EXACT);
  }

  /** Of two pairs t is 12.706: the logarithms of 2 and 8 have mean log 4, standard error log 2. */
  @Test
  void twoPairsSayLittle() {
    Ratio ratio = Ratio.of(new double[] {1, 1}, new double[] {2, 8});
    assertEquals(4, ratio.estimate().orElseThrow(), EXACT);
    assertEquals(4 * Math.pow(2, 12.706204736432095), ratio.high(), 1e-4);
    assertEquals(SpeedVerdict.NOT_ENOUGH_EVIDENCE, SpeedVerdict.of(ratio));
  }

  /** Though the runs differ a hundredfold among themselves. */
  @Test
  void whatAPairHasInCommonCancelsOut() {
    Ratio ratio = Ratio.of(new double[] {1, 10, 100}, new double[] {3, 30, 300});
    assertEquals(3, ratio.low(), EXACT);
    assertEquals(3, ratio.high(), EXACT);
  }

  @Test
  void theInverseIsTheRatioTheOtherWayRound() {
    double[] before = {1, 2, 4};
    double[] after = {2, 3, 11};
    Ratio expected = Ratio.of(after, before);
    Ratio inverse = Ratio.of(before, after).inverse();
    assertEquals(expected.estimate().orElseThrow(), inverse.estimate().orElseThrow(), EXACT);
    assertEquals(expected.low(), inverse.low(), EXACT);
    assertEquals(expected.high(), inverse.high(), EXACT);
  }

  /** In one second: a count of 0 is a rate of up to 1. */
  private static List<Rate> rates(long... counts) {
    return Arrays.stream(counts).mapToObj(count -> Rate.of((double) count, 1_000_000_000)).toList();
  }

  private static void assertBounds(double low, double high, Ratio ratio) {
    assertEquals(OptionalDouble.empty(), ratio.estimate());
    assertEquals(low, ratio.low(), EXACT);
    assertEquals(high, ratio.high(), EXACT);
  }

  @Test
  void noneOnBothSidesTellsNothing() {
    Ratio ratio = Ratio.of(rates(0, 0), rates(0, 0));
    assertBounds(0, Double.POSITIVE_INFINITY, ratio);
    assertEquals(SpeedVerdict.NOT_ENOUGH_EVIDENCE, SpeedVerdict.of(ratio));
  }

  @Test
  void noneNowAndThenOnBothSidesTellsNothing() {
    Ratio ratio = Ratio.of(rates(0, 20, 20), rates(900, 0, 900));
    assertBounds(0, Double.POSITIVE_INFINITY, ratio);
    assertEquals(SpeedVerdict.NOT_ENOUGH_EVIDENCE, SpeedVerdict.of(ratio));
  }

  /** One operation in a second, where there was none, may be chance. */
  @Test
  void hardlyAnyAfterNoneIsNotEnough() {
    Ratio ratio = Ratio.of(rates(0, 0), rates(1, 1));
    assertBounds(1, Double.POSITIVE_INFINITY, ratio);
    assertEquals(SpeedVerdict.NOT_ENOUGH_EVIDENCE, SpeedVerdict.of(ratio));
  }

  @Test
  void noneBeforeIsABoundFromBelow() {
    Ratio ratio = Ratio.of(rates(0, 0), rates(19_596, 19_596));
    assertBounds(19_596, Double.POSITIVE_INFINITY, ratio);
    assertEquals(SpeedVerdict.FASTER, SpeedVerdict.of(ratio));
  }

  @Test
  void noneAfterIsABoundFromAbove() {
    Ratio ratio = Ratio.of(rates(500, 500), rates(0, 0));
    assertBounds(0, 1.0 / 500, ratio);
    assertEquals(SpeedVerdict.SLOWER, SpeedVerdict.of(ratio));
  }

  @Test
  void noneNowAndThenIsABoundToo() {
    Ratio ratio = Ratio.of(rates(0, 10), rates(1_000, 1_000));
    Ratio bounded = Ratio.of(new double[] {1, 10}, new double[] {1_000, 1_000});
    assertBounds(bounded.low(), Double.POSITIVE_INFINITY, ratio);
  }

  @Test
  void theInverseOfABoundIsABound() {
    assertBounds(0, 0.5, new Ratio(OptionalDouble.empty(), 2, Double.POSITIVE_INFINITY).inverse());
    assertBounds(2, Double.POSITIVE_INFINITY, new Ratio(OptionalDouble.empty(), 0, 0.5).inverse());
  }

  @Test
  void withoutANoneRatesAreFiguresLikeAnyOther() {
    assertEquals(
        Ratio.of(new double[] {4, 5}, new double[] {8, 11}), Ratio.of(rates(4, 5), rates(8, 11)));
  }

  @ParameterizedTest
  @CsvSource({
    "1.06, 1.5, FASTER",
    "1.05, 1.5, NOT_ENOUGH_EVIDENCE",
    "0.99, 9.0, NOT_ENOUGH_EVIDENCE",
    "0.96, 1.05, NO_DIFFERENCE",
    "1.01, 1.04, NO_DIFFERENCE",
    "0.94, 1.00, NOT_ENOUGH_EVIDENCE",
    "0.50, 1.50, NOT_ENOUGH_EVIDENCE",
    "0.50, 0.95, SLOWER",
    "0.50, 0.96, NOT_ENOUGH_EVIDENCE"
  })
  void theWholeIntervalDecides(double low, double high, SpeedVerdict verdict) {
    assertEquals(
        verdict, SpeedVerdict.of(new Ratio(OptionalDouble.of(Math.sqrt(low * high)), low, high)));
  }

  @Test
  void theSidesTakeTurnsAtBeingFirst() {
    Side a = Side.BEFORE;
    Side b = Side.AFTER;
    assertEquals(List.of(a, b, b, a, a, b), Side.order(3));
    assertEquals(List.of(a, b, b, a), Side.order(2));
  }
}
