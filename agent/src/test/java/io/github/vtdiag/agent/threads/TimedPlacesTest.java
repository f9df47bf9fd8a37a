package io.github.vtdiag.agent.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimedPlacesTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private static final int QUEUE = 0x1b2c;

  private final TimedPlaces places = new TimedPlaces();
  private final TimedPlaces.Place pool = place("Pool.take", "");

  private static TimedPlaces.Place place(String method, String lockClass) {
    return new TimedPlaces.Place(List.of(new StackTraceElement("app", method, "", 1)), lockClass);
  }

  private void see(int from, int to) {
    for (int second = from; second <= to; second++) {
      places.begin(second * SECOND);
      places.seen(pool, QUEUE, second * SECOND);
    }
  }

  @Test
  void timeCountsWhileSomebodyWaits() {
    see(1, 20);
    places.seen(pool, QUEUE, 20 * SECOND);
    assertEquals(Optional.of(SECOND), places.since(pool));
    assertEquals(Map.of(pool, 2), places.threads());
  }

  /** One of two has just begun its next wait when it is looked at. */
  @Test
  void whoIsBetweenTwoWaitsIsCounted() {
    see(1, 2);
    places.seen(pool, QUEUE, 2 * SECOND);
    see(3, 3);
    assertEquals(Map.of(pool, 2), places.threads());
    see(4, 4);
    assertEquals(Map.of(pool, 1), places.threads());
  }

  @Test
  void whoIsWokenShowsThatOthersDeeperInTheJdkAreToo() {
    StackTraceElement park = new StackTraceElement("java.lang.Thread", "park", "", 1);
    see(1, 20);
    places.woken(new TimedPlaces.Place(List.of(park, pool.stack().getFirst()), ""));
    assertEquals(Optional.empty(), places.since(pool));
    see(21, 22);
    places.woken(new TimedPlaces.Place(List.of(park), ""));
    assertEquals(Optional.of(21 * SECOND), places.since(pool));
  }

  @Test
  void allMayTryAgainAtTheSameTime() {
    see(1, 3);
    see(6, 6);
    assertEquals(Optional.of(SECOND), places.since(pool));
  }

  @Test
  void whereNobodyWaitsNothingStands() {
    see(1, 3);
    places.begin(4 * SECOND);
    places.begin(20 * SECOND);
    assertEquals(Optional.empty(), places.since(pool));
    see(20, 20);
    assertEquals(Optional.of(20 * SECOND), places.since(pool));
  }

  /** A busy machine takes them as seldom as that. */
  @Test
  void samplesMayBeFurtherApartThanTheGap() {
    see(1, 1);
    see(11, 11);
    see(21, 21);
    assertEquals(Optional.of(SECOND), places.since(pool));
  }

  @Test
  void whoWasWokenHasGotIt() {
    see(1, 20);
    places.woken(pool);
    see(21, 25);
    assertEquals(Optional.of(21 * SECOND), places.since(pool));
  }
}
