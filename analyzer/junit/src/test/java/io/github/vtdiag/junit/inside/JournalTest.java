package io.github.vtdiag.junit.inside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("a JVM has one journal at a time: each reads the events of all threads")
final class JournalTest {
  @Test
  void whatIsNotWrittenIsNotTakenForNothing() {
    Journal journal = new Journal(Duration.ofMillis(100));
    assertTrue(journal.read());
    journal.close();
    assertFalse(journal.read());
  }

  @RepeatedTest(3)
  void allUpToTheMarkIsThere() throws InterruptedException {
    Journal journal = new Journal();
    try {
      Thread thread = Thread.ofVirtual().start(() -> LockSupport.parkNanos(1_000_000));
      thread.join();
      assertTrue(journal.read());
      assertTrue(journal.started().containsKey(thread.threadId()));
      assertFalse(journal.living().contains(thread.threadId()));
      assertEquals(0, journal.lostBytes());
    } finally {
      journal.close();
    }
  }
}
