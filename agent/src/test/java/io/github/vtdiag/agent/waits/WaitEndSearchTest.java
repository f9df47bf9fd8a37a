package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.vtdiag.agent.threads.Later;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitEndSearchTest {
  /** A loop that does more than wait, and ends by a field that others write. */
  static final class Reload {
    private boolean loaded;
    private int rounds;

    void awaitLoaded() throws InterruptedException {
      while (!loaded) {
        Thread.sleep(10_000);
        rounds++;
      }
    }

    void load() {
      if (rounds >= 0) {
        throw new IllegalStateException("no file");
      }
      loaded = true;
    }
  }

  private final List<Throwable> thrown = new ArrayList<>();
  private final FailedThreads failures =
      new FailedThreads(LoopTargetsTest.CLASSES, () -> thrown, () -> 0);
  private final WaitEndSearch search =
      new WaitEndSearch(
          LoopTargetsTest.CLASSES,
          new LoopTargets(LoopTargetsTest.CLASSES),
          failures,
          new Later<>(Timeouts::new));
  private int searches;

  private boolean isLeft(WaitLoops.Loop loop) {
    return search.until(loop, each -> searches++).isKnown();
  }

  @Test
  void theThreadsAreSearchedSeldomForOneThatWritesTheField() throws InterruptedException {
    Reload reload = new Reload();
    Thread waiting =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    reload.awaitLoaded();
                  } catch (InterruptedException e) {
                    // It has been seen.
                  }
                });
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    WaitLoops.Loop loop = new WaitLoops.Loop(List.of(waiting.getStackTrace()), 1, 1, false);
    assertFalse(isLeft(loop), "nobody has failed");
    assertEquals(0, searches);
    try {
      reload.load();
    } catch (IllegalStateException e) {
      thrown.add(e);
    }
    failures.look();
    for (int i = 0; i < 10; i++) {
      assertEquals(true, isLeft(loop));
    }
    assertEquals(1, searches);
    waiting.interrupt();
    waiting.join();
  }
}
