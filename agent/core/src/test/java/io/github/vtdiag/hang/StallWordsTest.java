package io.github.vtdiag.hang;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.Stall;
import io.github.vtdiag.waits.WaitDetail;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StallWordsTest {
  private static Stall workers(LongWait.Wakers wakers) {
    return workers(wakers, WaitDetail.NONE);
  }

  private static Stall workers(LongWait.Wakers wakers, WaitDetail detail) {
    return new Stall(
        new Awaited(Awaited.Kind.IDLE, "LinkedBlockingQueue", Optional.empty()),
        Optional.empty(),
        new StackTrace(List.of(), false),
        false,
        "",
        5,
        TimeUnit.SECONDS.toNanos(31),
        false,
        wakers,
        detail);
  }

  /** Some details are clauses with a subject of their own. */
  @Test
  void aDetailIsSetApart() {
    assertTrue(
        StallWords.statement(
                workers(LongWait.Wakers.NOT_KNOWN, WaitDetail.of(WaitDetail.Kind.UNSERVED)))
            .contains("(LinkedBlockingQueue, nobody is known to serve them, and no other"));
  }

  @Test
  void whyWorkersOfAQueueStandStillIsSaid() {
    assertEquals(
        "5 virtual threads have waited for up to 31 s (LinkedBlockingQueue, woken before by threads"
            + " that have failed), and none has gone on",
        StallWords.statement(workers(LongWait.Wakers.FAILED)));
    assertTrue(
        StallWords.ends(workers(LongWait.Wakers.FAILED))
            .startsWith("ends: when another thread puts something in; find why"));
  }
}
