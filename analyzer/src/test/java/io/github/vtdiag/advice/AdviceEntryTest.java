package io.github.vtdiag.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviceEntryTest {
  private static final Recommendation LATER = new Recommendation.UpgradeJdk();
  private static final Freed FREED = new Freed(1, 0);

  private final Frame send = Pins.frame("com.example.Session", "send", 3, 10);
  private final Frame close = Pins.frame("com.example.Channel", "close", 5, 20);
  private final List<Pin> pins =
      new Pins()
          .pin(1, 9_000, Pins.stack(close), new PinCause.MonitorEntry(close, "java.lang.Object"))
          .pin(2, 2_000, Pins.stack(send), Pins.method(1, send))
          .findings()
          .pins();

  private static Advised advised(Pin pin, Sharing sharing) {
    Effect effect = new Effect(FREED, FREED, FREED, sharing, new Prediction.None(""));
    return new Advised(pin, LATER, "reason", List.of(), effect, List.of());
  }

  /** Threads with a lock each keep nobody from entering. */
  @ParameterizedTest
  @CsvSource({
    "ONE_OBJECT, ONE_OBJECT",
    "SOME_SHARED, SOME_SHARED",
    "POOL, POOL",
    "OWN_OBJECTS, CONTENDED"
  })
  void threadsThatWaitToEnterShareTheEffectOfTheOneInside(Sharing inside, Sharing expected) {
    AdviceEntry entry =
        new AdviceEntry(
            List.of(advised(pins.getFirst(), Sharing.CONTENDED), advised(pins.getLast(), inside)),
            LATER,
            List.of(),
            FREED,
            FREED,
            FREED,
            /* isMinor= */ false);
    assertEquals(expected, entry.path().effect().sharing());
  }
}
