package io.github.vtdiag.junit.samples;

import io.github.vtdiag.junit.ShouldNotPin;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Two tests at the same time, and a thread that inherits nothing from the one that creates it. */
@ShouldNotPin
final class Strangers {
  private static final CountDownLatch BOTH = new CountDownLatch(2);
  private static final CountDownLatch PINNED = new CountDownLatch(1);

  @Test
  void pins() throws InterruptedException {
    both();
    Thread.ofVirtual().inheritInheritableThreadLocals(false).start(Work::inInitializer).join();
    PINNED.countDown();
  }

  @Test
  void runsBeside() throws InterruptedException {
    both();
    PINNED.await();
  }

  private static void both() throws InterruptedException {
    BOTH.countDown();
    BOTH.await();
  }
}
