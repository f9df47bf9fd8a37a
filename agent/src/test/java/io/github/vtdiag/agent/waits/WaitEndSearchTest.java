package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.ends.FailedThreads;
import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.LoopTargetsTest;
import io.github.vtdiag.agent.ends.Timeouts;
import io.github.vtdiag.agent.threads.Later;
import io.github.vtdiag.waits.WaitDetail;
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
      new FailedThreads(LoopTargetsTest.CLASSES, () -> thrown, () -> 0, false);
  private final WaitEndSearch search = search(failures);
  private int searches;

  private static WaitEndSearch search(boolean late) {
    return search(new FailedThreads(LoopTargetsTest.CLASSES, List::of, () -> 0, late));
  }

  private static WaitEndSearch search(FailedThreads failures) {
    return new WaitEndSearch(
        LoopTargetsTest.CLASSES,
        new LoopTargets(LoopTargetsTest.CLASSES),
        failures,
        new Later<>(Timeouts::new));
  }

  private boolean isLeft(WaitLoops.Loop loop) {
    return search.until(loop, each -> searches++).isKnown();
  }

  private static WaitLoops.Loop loop(Thread waiting) {
    return new WaitLoops.Loop(List.of(waiting.getStackTrace()), 1, 1, false);
  }

  /** A thread that failed before is not known to have failed. */
  @Test
  void whatRanBeforeFailuresWereNotedMayHaveFailed() throws InterruptedException {
    Thread waiting = LoopTargetsTest.awaitWaiting(new Reload()::awaitLoaded);
    WaitLoops.Loop loop = loop(waiting);
    List<Thread> alive = new ArrayList<>();
    WaitEndSearch late = search(true);
    assertTrue(
        late.until(loop, alive::forEach)
            .clause()
            .endsWith(
                "Reload.loaded changes, which a thread may have had to end that failed before"
                    + " vtdiag noted failures"),
        late.until(loop, alive::forEach)::clause);
    assertEquals(WaitDetail.NONE, search(false).until(loop, alive::forEach));
    waiting.interrupt();
    waiting.join();
  }

  @Test
  void theThreadsAreSearchedSeldomForOneThatWritesTheField() throws InterruptedException {
    Reload reload = new Reload();
    Thread waiting = LoopTargetsTest.awaitWaiting(reload::awaitLoaded);
    WaitLoops.Loop loop = loop(waiting);
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
