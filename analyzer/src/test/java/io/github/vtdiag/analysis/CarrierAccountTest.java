package io.github.vtdiag.analysis;

import static io.github.vtdiag.analysis.Pins.SECOND;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.model.Frame;
import org.junit.jupiter.api.Test;

class CarrierAccountTest {
  private final Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
  private final Frame orders = frame("com.example.Orders", "find", 3, 41);

  /** Half of the time Java, and one pin that began in second 49 of 62 and has not ended. */
  private Pins pins() {
    return new Pins()
        .looked(50, 0, 1, 0, 0)
        .unended(1, 13_000, stack(park, orders), method(1, orders));
  }

  @Test
  void whatNobodyLookedAtIsNotKnown() {
    Account account = pins().lookedUntil(50, false).findings().account();
    assertEquals(62 * SECOND, account.spanNanos());
    // But for the pin, of which the events tell.
    assertEquals(24 - 13 * 12.0 / 62, account.share(Use.UNKNOWN).nanos() / 1e9, 0.1);
  }

  @Test
  void whatTheAgentWritesWhenTheProgramEndsIsNoTimeOfTheProgram() {
    Account account = pins().lookedUntil(50, true).findings().account();
    assertEquals(50 * SECOND, account.spanNanos());
    assertEquals(100 * SECOND, account.capacityNanos());
    assertEquals(0, account.share(Use.UNKNOWN).nanos());
    assertEquals(0.5, account.part(Use.JAVA), 0.001);
    assertEquals(0.01, account.part(Use.PINNED), 0.001);
  }

  @Test
  void aPartBeforeTheEndIsAsLongAsItIs() {
    Account account = pins().lookedUntil(62, true).findings().account();
    assertEquals(62 * SECOND, account.spanNanos());
    assertEquals(13 * SECOND, account.share(Use.PINNED).nanos());
  }
}
