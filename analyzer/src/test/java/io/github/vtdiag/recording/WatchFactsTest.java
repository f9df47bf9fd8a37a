package io.github.vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.pin.Events.WatchLook;
import io.github.vtdiag.pin.OtherCarriers;
import io.github.vtdiag.recording.TimeRange.Span;
import org.junit.jupiter.api.Test;

class WatchFactsTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void carriersOfOtherSchedulersCountForAsLongAsTheyWereThere() {
    WatchFacts facts = new WatchFacts();
    facts.add(look(1, 0));
    facts.add(look(2, 4));
    facts.add(look(3, 1));

    Watched watched = facts.in(new Span(0, 3 * SECOND)).orElseThrow();

    assertEquals(5 * SECOND, watched.elsewhereNanos());
    assertEquals(4, watched.others().count());
  }

  private static WatchLook look(long second, int others) {
    return new WatchLook(
        second * SECOND,
        0,
        0,
        0,
        1,
        0,
        2,
        0,
        2,
        0,
        true,
        false,
        new OtherCarriers(others, 0, "loop"),
        new CarrierSample(
            second * SECOND,
            SECOND,
            2 * SECOND,
            2 * SECOND,
            0,
            0,
            0,
            0,
            0,
            0,
            100,
            0,
            0,
            0,
            CarrierSample.Saturation.NONE));
  }
}
