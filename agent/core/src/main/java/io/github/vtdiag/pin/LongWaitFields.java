package io.github.vtdiag.pin;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;

/** Reads a {@link LongWait} from its event. */
public final class LongWaitFields {
  /** The agent's event for virtual threads at one place that have not run for some seconds. */
  public static final String EVENT = "vtdiag.LongWait";

  private LongWaitFields() {}

  /**
   * Reads one from an {@link #EVENT}.
   *
   * @throws IllegalArgumentException if its state or its wakers are malformed
   */
  public static LongWait of(EventValues event) {
    return new LongWait(
        event.number("look"),
        (int) event.number("stack"),
        Thread.State.valueOf(event.text("state")),
        ClassRef.withoutHiddenSuffix(event.text("lockClass")),
        (int) event.number("lockIdentity"),
        (int) event.number("threads"),
        (int) event.number("returned"),
        event.number("longest"),
        event.number("repeated") != 0,
        wakers(event.text("wakers")),
        WaitDetail.read(event.text("detail")));
  }

  private static LongWait.Wakers wakers(String name) {
    return name.isEmpty() ? LongWait.Wakers.NOT_KNOWN : LongWait.Wakers.valueOf(name);
  }
}
