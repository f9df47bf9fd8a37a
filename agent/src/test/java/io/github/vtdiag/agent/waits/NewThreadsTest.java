package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class NewThreadsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long newest;
  private long now = -3 * SECOND;
  private final NewThreads threads = new NewThreads(() -> newest);

  private boolean cameAfter(long nanos) {
    now += nanos;
    return threads.came(now);
  }

  @Test
  void aThreadIsNewForAFewSeconds() {
    assertEquals(false, cameAfter(0), "none has run");
    newest = 40;
    assertEquals(true, cameAfter(SECOND));
    assertEquals(true, cameAfter(4 * SECOND));
    assertEquals(false, cameAfter(SECOND), "it is the same one");
    newest = 39;
    assertEquals(false, cameAfter(SECOND), "an older one has run");
    newest = 41;
    assertEquals(false, cameAfter(SECOND / 2), "the notes are read seldom");
    assertEquals(true, cameAfter(SECOND / 2));
  }
}
