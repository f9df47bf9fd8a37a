package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.waits.LongWait;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingBuffersTest {
  private static final String LIBRARY = "com.lmax.disruptor.";

  private static StackTraceElement frame(String type, String method) {
    return new StackTraceElement(type, method, "", 1);
  }

  private static WaitGroup group(long nanos, String... inside) {
    return new WaitGroup(
        List.of(
            frame(inside[0], inside[1]), frame(LIBRARY + "BatchEventProcessor", "processEvents")),
        Thread.State.WAITING,
        "",
        0,
        1,
        0,
        false,
        nanos,
        false,
        LongWait.Wakers.NONE,
        List.of());
  }

  @Test
  void onlyPublishersWaitForRoom() {
    assertFalse(RingBuffers.isFor(List.of(frame("app.Ring", "next"))));
    assertFalse(RingBuffers.isFor(List.of(frame(LIBRARY + "RingBuffer", "publishEvent"))));
    assertTrue(RingBuffers.isFor(List.of(frame(LIBRARY + "SingleProducerSequencer", "next"))));
  }

  @Test
  void aHandlerThatWaitsForTheNextEventIsNotAtWork() {
    assertEquals(0, new RingBuffers().stood(List.of()));
    assertEquals(
        0, new RingBuffers().stood(List.of(group(9, LIBRARY + "BlockingWaitStrategy", "waitFor"))));
  }

  @Test
  void theHandlerThatWentOnLastDecides() {
    assertEquals(
        7,
        new RingBuffers()
            .stood(List.of(group(9, "app.Handler", "onEvent"), group(7, "app.Other", "onEvent"))));
  }
}
