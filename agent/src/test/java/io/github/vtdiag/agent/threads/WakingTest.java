package io.github.vtdiag.agent.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.waits.LongWait.Wakers;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WakingTest {
  private static final long PRODUCER = 7;

  private final Waking waking = new Waking(true);
  private final Set<Long> failed = new HashSet<>();

  @Test
  void nobodyWasEverWoken() {
    assertEquals(Wakers.NONE, judge(Set.of(1L), Set.of()));
  }

  @Test
  void aProducerThatLivesMayPutMore() {
    add(PRODUCER, 1, 2, 3);
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of()));
  }

  @Test
  void requestsComeAndGo() {
    add(7, 1);
    add(8, 2);
    add(9, 3, 3, 3);
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of(7L, 8L, 9L)));
  }

  /** Of these some fail, and that says nothing of those that will come. */
  @Test
  void requestsThatFailAreNoProducer() {
    add(7, 1);
    add(8, 2);
    add(9, 3, 3, 3);
    failed.add(8L);
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of(7L, 8L, 9L)));
  }

  @Test
  void oneRequestIsNoProducer() {
    add(7, 1, 1);
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of()));
    assertEquals(Wakers.NONE, judge(Set.of(1L), Set.of(7L)));
  }

  @Test
  void theOnlyProducerFailedAfterTheFirstElement() {
    add(PRODUCER, 1);
    failed.add(PRODUCER);
    assertEquals(Wakers.FAILED_SOON, judge(Set.of(1L), Set.of(PRODUCER)));
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of()));
    add(PRODUCER, 2, 3);
    assertEquals(Wakers.FAILED, judge(Set.of(1L), Set.of(PRODUCER)));
  }

  @Test
  void oneOfTheProducersFailed() {
    add(7, 1, 3);
    add(8, 2, 4);
    failed.add(8L);
    assertEquals(Wakers.FAILED, judge(Set.of(1L), Set.of(7L, 8L)));
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of(8L)));
  }

  /** The JDK wakes them for it. */
  @Test
  void whoNotifiedIsNotKnown() {
    add(Waking.NOT_KNOWN, 1, 2, 3);
    assertEquals(Wakers.NOT_KNOWN, judge(Set.of(1L), Set.of()));
    add(7, 4);
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of(7L)));
  }

  @Test
  void theOnlyProducerHasEnded() {
    add(PRODUCER, 1, 2);
    assertEquals(Wakers.ENDED, judge(Set.of(1L), Set.of(PRODUCER)));
  }

  @Test
  void aProducerMayHaveEndedBeforeTheFirstLook() {
    add(PRODUCER, 1);
    add(1, 1);
    add(2, 1);
    assertEquals(Wakers.ENDED, judge(Set.of(1L, 2L, 3L), Set.of(PRODUCER)));
    assertEquals(Wakers.OTHERS, judge(Set.of(1L, 2L, 3L), Set.of()));
  }

  @Test
  void bothProducersHaveEnded() {
    add(7, 1, 3);
    add(8, 2, 4);
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of(7L)));
    assertEquals(Wakers.ENDED, judge(Set.of(1L), Set.of(7L, 8L)));
  }

  @Test
  void oneProducerFollowedTheOther() {
    add(7, 1, 2);
    add(8, 3, 4);
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of(7L, 8L)));
  }

  @Test
  void allWhoGaveBackWaitThemselves() {
    for (int look = 1; look <= 4; look++) {
      add(1, look);
      add(2, look);
    }
    assertEquals(Wakers.EACH_OTHER, judge(Set.of(1L, 2L, 3L), Set.of()));
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), Set.of()));
  }

  @Test
  void workersThatWokeEachOtherOnceMayBeWokenByOthers() {
    add(1, 1);
    add(2, 1);
    assertEquals(Wakers.SELDOM, judge(Set.of(1L, 2L), Set.of()));
  }

  /** Each thread was woken before the first look, and may have waited elsewhere then. */
  @Test
  void whoWokeWhomBeforeTheFirstLookTellsNoCircle() {
    for (int waker = 1; waker <= 10; waker++) {
      add(waker, 0);
    }
    Set<Long> waiting = LongStream.rangeClosed(1, 10).boxed().collect(Collectors.toSet());
    assertEquals(Wakers.SELDOM, judge(waiting, Set.of()));
  }

  @Test
  void whereEverNewThreadsWakeOthersMoreCome() {
    for (int id = 100; id < 1000; id++) {
      add(id, 1, 1000);
    }
    assertEquals(Wakers.OTHERS, judge(Set.of(1L), waking.ids()));
    assertEquals(Set.of(), waking.ids());
  }

  @Test
  void aTimerMayWakeLater() {
    add(PRODUCER, 10, 20, 30);
    assertFalse(waking.hasStoppedByFailure(1, 100));
    assertFalse(waking.hasStoppedByFailure(PRODUCER, 70));
  }

  @Test
  void aTimerThatGoesOnAfterAnotherTaskFailedHasNotStopped() {
    add(PRODUCER, 10, 20, 30);
    assertFalse(waking.hasStoppedByFailure(PRODUCER, 35));
    add(PRODUCER, 40);
    assertFalse(waking.hasStoppedByFailure(PRODUCER, 1_000));
  }

  @Test
  void aTimerWhoseTaskFailedBringsNoMore() {
    add(PRODUCER, 10, 10);
    assertFalse(waking.hasStoppedByFailure(PRODUCER, 1_000));
    add(PRODUCER, 12);
    assertTrue(waking.hasStoppedByFailure(PRODUCER, 17));
  }

  private Wakers judge(Set<Long> waiting, Set<Long> ended) {
    return waking.judge(waiting, ended, failed::contains);
  }

  private void add(long waker, int... looks) {
    for (int look : looks) {
      waking.add(1, waker, look);
    }
  }
}
