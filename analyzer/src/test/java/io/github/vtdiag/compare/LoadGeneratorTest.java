package io.github.vtdiag.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** On a clock that only moves when told to, so that every figure is known beforehand. */
final class LoadGeneratorTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  /** As a histogram of three digits keeps it. */
  private static final double PRECISION = 0.001;

  private static final class ManualClock implements Clock {
    private long now = 123;

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public void sleepUntil(long nanos) {
      now = Math.max(now, nanos);
    }
  }

  private final ManualClock clock = new ManualClock();
  private int sent;

  private LoadResult run(Load load, LoadGenerator.Server target, long warmUp) {
    LoadGenerator generator = new LoadGenerator(load, target, clock, warmUp, 10 * SECOND);
    generator.work();
    // As a worker that gives up leaves it.
    Thread.interrupted();
    return generator.result();
  }

  private boolean answerIn(long nanos) {
    sent++;
    clock.now += nanos;
    return true;
  }

  /** Answers in a millisecond, but stalls once. */
  private boolean stallOnce() {
    return answerIn(sent == 100 ? 2 * SECOND : MILLI);
  }

  private static Latency latency(LoadResult result) {
    return result.latency().orElseThrow();
  }

  private static void assertNanos(long expected, long actual) {
    assertEquals((double) expected, (double) actual, expected * PRECISION);
  }

  @Test
  void inAnOpenLoopAStallCountsForEveryRequestItHoldsUp() {
    LoadResult result = run(new Load.Open(100), this::stallOnce, 0);
    assertEquals(1_000, result.requests());
    assertNanos(2 * SECOND, latency(result).longestNanos());
    // The k-th request behind the stall is due 10 ms later and answered 1 ms later.
    assertNanos(2 * SECOND - 10 * 9 * MILLI, latency(result).p99Nanos());
    assertNanos(MILLI, latency(result).p50Nanos());
    // 223 of the 1,000 wait: the k-th 2,000 ms less 9 ms for each before it, and 1 ms is the least.
    assertNanos(2 * SECOND - 100 * 9 * MILLI, latency(result).p90Nanos());
    assertNanos(2 * SECOND - 50 * 9 * MILLI, latency(result).p95Nanos());
    long waited = 223 * 2 * SECOND - 9 * MILLI * (222 * 223 / 2);
    assertNanos((waited + 777 * MILLI) / 1_000, latency(result).meanNanos());
  }

  @Test
  void asManyAreInFlightAsAreAllowed() throws InterruptedException {
    CountDownLatch all = new CountDownLatch(1_500);
    LoadGenerator.Server server =
        () -> {
          all.countDown();
          all.await();
          return true;
        };
    LoadResult result =
        new LoadGenerator(new Load.Open(1e6, 1_500), server, Clock.SYSTEM, 0, SECOND / 100)
            .run(60 * SECOND, () -> false);
    assertEquals(0, all.getCount());
    assertEquals(0, result.unanswered());
  }

  @Test
  void inAClosedLoopItIsOneRequestAmongMany() {
    LoadResult result = run(new Load.Closed(1), this::stallOnce, 0);
    assertNanos(2 * SECOND, latency(result).longestNanos());
    assertNanos(MILLI, latency(result).p99Nanos());
    assertEquals(8_001, result.requests());
  }

  @Test
  void requestsThatAServerNeverLetsOutAreCountedToo() {
    LoadResult result =
        run(
            new Load.Open(100),
            () -> {
              clock.now += 10 * SECOND;
              throw new InterruptedException();
            },
            0);
    assertEquals(1_000, result.unanswered());
    assertEquals(1_000, result.requests());
    assertEquals(0, result.answered());
    assertNanos(10 * SECOND, latency(result).longestNanos());
    assertNanos(5 * SECOND, latency(result).p50Nanos());
  }

  @Test
  void whereAllUsersWaitFromTheWarmUpOnNoLatencyIsKnown() {
    LoadResult result =
        run(
            new Load.Closed(1),
            () -> {
              clock.now += 20 * SECOND;
              throw new InterruptedException();
            },
            SECOND);
    assertEquals(new LoadResult(0, 0, 0, 0, Optional.empty()), result);
  }

  @Test
  void warmingUpDoesNotCount() {
    LoadResult result =
        run(new Load.Open(100), () -> answerIn(sent < 500 ? SECOND / 100 : 1), SECOND * 5);
    assertEquals(1_500, sent);
    assertEquals(1_000, result.requests());
    assertEquals(1_000.0, (double) result.answered(), 2);
    assertTrue(latency(result).longestNanos() < MILLI, result::toString);
  }

  @Test
  void badAnswersAreNeitherThroughputNorLatency() {
    LoadResult result = run(new Load.Open(100), () -> answerIn(MILLI) && sent % 4 != 0, 0);
    assertEquals(1_000, result.requests());
    assertEquals(250, result.errors());
    assertEquals(750, result.answered());
    assertEquals(0, result.unanswered());
  }

  @Test
  void aServerThatFailsAtOnceDoesNotOutliveTheTime() throws InterruptedException {
    LoadGenerator generator =
        new LoadGenerator(new Load.Closed(4), () -> false, Clock.SYSTEM, 0, 3_600 * SECOND);
    LoadResult result = generator.run(0, () -> true);
    assertEquals(0, result.answered());
    assertEquals(result.requests(), result.errors() + result.unanswered());
  }

  @Test
  void theCeilingIsThatOfARealServer() throws Exception {
    assertTrue(Ceiling.measure(2, SECOND / 5, 2 * SECOND) > 0);
  }
}
