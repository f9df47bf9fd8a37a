package io.github.vtdiag.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which events are taken of very many, and what those stand for. */
class ThinningTest {
  private static final int FEW = 4096;

  /** The places that are taken of so many events. */
  private static List<Long> taken(long events) {
    List<Long> taken = new ArrayList<>();
    Thinning thinning = new Thinning();
    for (long event = 0; event < events; event++) {
      if (thinning.isTaken()) {
        taken.add(event);
      }
    }
    return taken;
  }

  private static long standFor(int taken) {
    long sum = 0;
    for (int i = 0; i < taken; i++) {
      sum += Thinning.standsFor(i);
    }
    return sum;
  }

  @Test
  void ofFewNoneIsLeftOut() {
    List<Long> all = taken(FEW);
    assertEquals(FEW, all.size());
    for (int i = 0; i < FEW; i++) {
      assertEquals(i, all.get(i));
      assertEquals(1, Thinning.standsFor(i));
    }
  }

  @Test
  void eachIsPickedAmongThoseItStandsFor() {
    List<Long> taken = taken(1_000_000);
    long before = 0;
    for (int i = 0; i < taken.size(); i++) {
      long standsFor = Thinning.standsFor(i);
      long at = taken.get(i);
      assertTrue(at >= before && at < before + standsFor, i + " at " + at);
      before += standsFor;
    }
    assertTrue(taken.size() < 25_000, "taken: " + taken.size());
  }

  @Test
  void theyStandForAllTogether() {
    for (long events : new long[] {5_000, 50_000, 563_818, 10_000_000}) {
      double part = (double) standFor(taken(events).size()) / events;
      // The last one may stand for events that did not come any more.
      assertEquals(1, part, 0.001, events + " events");
    }
  }

  @Test
  void ofTheBeginningTheSameAreTakenAsOfAll() {
    List<Long> beginning = taken(77_777);
    assertEquals(beginning, taken(1_000_000).subList(0, beginning.size()));
  }

  /** A program that allocates two things in turns would else seem to allocate one of them. */
  @Test
  void whatRepeatsItselfIsTakenEvenly() {
    for (int period : new int[] {2, 4, 16}) {
      double[] weights = new double[period];
      List<Long> taken = taken(1_000_000);
      for (int i = 0; i < taken.size(); i++) {
        weights[(int) (taken.get(i) % period)] += Thinning.standsFor(i);
      }
      for (double weight : weights) {
        assertEquals(1_000_000.0 / period, weight, 0.2 * 1_000_000 / period, "of " + period);
      }
    }
  }
}
