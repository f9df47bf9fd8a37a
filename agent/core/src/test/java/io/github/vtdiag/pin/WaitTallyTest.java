package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WaitTallyTest {
  private static final int THREADS = 10;

  private static List<WaitLook> looks(int count, int alive, int looked) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> new WaitLook(number, number, alive, looked, THREADS, true, false))
        .toList();
  }

  private static Optional<WaitTally.Crowd> crowd(List<WaitLook> looks, int threads) {
    WaitTally tally = new WaitTally();
    looks.forEach(look -> tally.add(look, threads));
    return tally.of(looks);
  }

  @Test
  void aThreadAtATimeIsNoCrowd() {
    assertEquals(Optional.empty(), crowd(looks(10, 100, 100), 1));
  }

  @Test
  void theMeanOfEqualNumbersIsNotAboveThem() {
    for (int count = WaitTally.FEWEST_LOOKS; count <= 100; count++) {
      for (int alive = 100; alive <= 120; alive++) {
        WaitTally.Crowd crowd = crowd(looks(count, alive, 91), THREADS).orElseThrow();
        assertTrue(crowd.mean() <= crowd.most(), crowd + " of " + count + ", " + alive);
        assertEquals(crowd.most(), crowd.mean(), 0.001);
      }
    }
  }
}
