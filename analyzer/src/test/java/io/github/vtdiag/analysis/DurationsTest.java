package io.github.vtdiag.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DurationsTest {
  @Test
  void nothingIsNothing() {
    assertEquals(Durations.NONE, Durations.of());
    // A clock that went back.
    assertEquals(Durations.of(0), Durations.of(-5));
    assertEquals(1, Durations.of(Long.MAX_VALUE).buckets().getFirst().count());
  }

  @Test
  void bucketsAreInOrderAndWithoutHoles() {
    int before = -1;
    for (long nanos = 0; nanos < 1 << 20; nanos++) {
      int number = Durations.number(nanos);
      assertTrue(number == before || number == before + 1, () -> "at " + number);
      before = number;
    }
  }

  /** Percentiles that are averaged are off by up to twelvefold. */
  @Test
  void thePercentilesOfAThousandRecordingsAreThoseOfAllTheirDurations() {
    Random random = new Random(7);
    Map<Integer, Long> merged = new TreeMap<>();
    long[] all = new long[0];
    for (int recording = 0; recording < 1_000; recording++) {
      double scale = Math.exp(random.nextGaussian() * 2) * 5_000_000;
      long[] some =
          random
              .doubles(1 + random.nextInt(400))
              .mapToLong(d -> (long) (scale / (d + 1e-3)))
              .toArray();
      Durations.of(some)
          .buckets()
          .forEach(bucket -> merged.merge(bucket.number(), bucket.count(), Long::sum));
      int before = all.length;
      all = Arrays.copyOf(all, before + some.length);
      System.arraycopy(some, 0, all, before, some.length);
    }
    assertEquals(
        Durations.of(all),
        Durations.of(
            merged.entrySet().stream()
                .map(bucket -> new Durations.Bucket(bucket.getKey(), bucket.getValue()))
                .toList()));
    Arrays.sort(all);
    for (double percent : new double[] {1, 50, 90, 99, 99.9, 100}) {
      double exact = all[(int) Math.ceil(all.length * percent / 100) - 1];
      assertEquals(exact, (double) percentile(merged, percent), exact * 0.008, "p" + percent);
    }
  }

  /** As the fleet's SQL does it. */
  private static long percentile(Map<Integer, Long> buckets, double percent) {
    long all = buckets.values().stream().mapToLong(Long::longValue).sum();
    long below = 0;
    for (Map.Entry<Integer, Long> bucket : buckets.entrySet()) {
      below += bucket.getValue();
      if (below >= Math.ceil(all * percent / 100)) {
        return Durations.middle(bucket.getKey());
      }
    }
    throw new AssertionError();
  }
}
