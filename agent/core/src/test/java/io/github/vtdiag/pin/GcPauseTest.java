package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class GcPauseTest {
  private static final GcPause PAUSE = new GcPause(1_000, 50);

  @Test
  void countsUntilTheProgramsEnd() {
    assertAll(
        () -> assertEquals(0, PAUSE.nanosBefore(900)),
        () -> assertEquals(0, PAUSE.nanosBefore(1_000)),
        () -> assertEquals(20, PAUSE.nanosBefore(1_020)),
        () -> assertEquals(50, PAUSE.nanosBefore(2_000)),
        () -> assertEquals(50, PAUSE.nanosBefore(Long.MAX_VALUE)));
  }

  @Test
  void saysItOnlyIfItIsMuchOfTheTime() {
    assertAll(
        () -> assertEquals(Optional.empty(), GcPause.told(4, 100)),
        () -> assertEquals(Optional.empty(), GcPause.told(0, 0)),
        () ->
            assertEquals(
                Optional.of("garbage collector stopped all threads for 46% of the time"),
                GcPause.told(46, 100)));
  }
}
