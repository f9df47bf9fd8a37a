package io.github.vtdiag.junit.samples;

import io.github.vtdiag.junit.ShouldNotPin;
import io.github.vtdiag.junit.ShouldPin;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

final class OneByOne {
  @Test
  @ShouldNotPin
  void monitor() {
    Work.onThread(() -> Work.inMonitor(60));
  }

  @Test
  @ShouldNotPin
  void initializer() {
    Work.onThread(Work::inInitializer);
  }

  @Test
  @ShouldNotPin
  void lock() {
    Work.onThread(() -> Work.inLock(60));
  }

  @Test
  @ShouldNotPin
  void nothing() {}

  @Test
  @ShouldNotPin(longest = "100s")
  void longAllowed() {
    Work.onThread(Work::inInitializer);
  }

  @Test
  @ShouldNotPin(count = 1)
  void onceAllowed() {
    Work.onThread(Work::inInitializer);
  }

  @Test
  @ShouldNotPin(count = 1)
  void twice() {
    Work.onThread(Work::inInitializer);
    Work.onThread(Work::inInitializer);
  }

  @Test
  @ShouldNotPin(longest = "0ms")
  void shortMonitorForbidden() {
    Work.onThread(() -> Work.inMonitor(3));
  }

  @Test
  @ShouldNotPin(owner = {"library", "org.example:driver", "org.example"})
  void notTheirs() {
    Work.onThread(Work::inInitializer);
  }

  @Test
  @ShouldNotPin(owner = "io.github.vtdiag.junit.samples")
  void theirs() {
    Work.onThread(Work::inInitializer);
  }

  @Test
  @ShouldPin
  void pinsAsItShould() {
    Work.onThread(Work::inInitializer);
  }

  @Test
  @ShouldPin
  void shouldHavePinned() {
    Work.onThread(() -> Work.inLock(60));
  }

  @Test
  @ShouldPin
  void shouldHavePinnedInMonitor() {
    Work.onThread(() -> Work.inMonitor(60));
  }

  @Test
  @ShouldNotPin(longest = "soon")
  void wrongLength() {}

  @Test
  @ShouldNotPin(owner = "?")
  void wrongOwner() {}

  @Test
  @ShouldPin
  @ShouldNotPin
  void both() {}

  @Test
  @ShouldNotPin
  void neverEnds() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            () -> {
              synchronized (inside) {
                inside.countDown();
                Work.sleep(1_000_000);
              }
            });
    inside.await();
    Work.sleep(30);
  }

  @Test
  @ShouldNotPin(maxStall = "300ms")
  void leavesStalled() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Thread thread = Thread.ofVirtual().start(() -> awaitLatch(never));
    while (thread.getState() != Thread.State.WAITING) {
      Work.sleep(1);
    }
  }

  /** As on a busy machine, where a thread gets a carrier only when its test has ended. */
  @Test
  @ShouldNotPin(maxStall = "3s")
  void leavesOneThatStallsLater() {
    CountDownLatch never = new CountDownLatch(1);
    long until = System.nanoTime() + 500_000_000;
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                while (System.nanoTime() - until < 0) {
                  Thread.onSpinWait();
                }
              });
    }
    Thread.ofVirtual().name("late").start(() -> awaitLatch(never));
  }

  @Test
  @ShouldNotPin(maxStall = "30s")
  void leavesOneThatGoesOn() {
    CountDownLatch soon = new CountDownLatch(1);
    Thread.ofVirtual().start(() -> awaitLatch(soon));
    Thread.ofPlatform()
        .start(
            () -> {
              Work.sleep(200);
              soon.countDown();
            });
  }

  @Test
  @ShouldNotPin(maxStall = "200ms")
  void leavesIdle() {
    Thread.ofVirtual().start(() -> Work.sleep(1_000_000));
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                new LinkedBlockingQueue<>().take();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  @Test
  @ShouldNotPin(maxStall = "never")
  void wrongStall() {}

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
