package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.threads.TimedPlaces;
import io.github.vtdiag.agent.threads.Wakings.Door;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TimedWakesTest {
  private static final Door POOL = new Door(List.of(), 0x1b2c);
  private static final TimedPlaces.Place TAKE =
      new TimedPlaces.Place(List.of(new StackTraceElement("app", "Pool.take", "", 1)), "");
  private static final long OTHER = 7;

  private final TimedWakes wakes = new TimedWakes();
  private final Thread thread = Thread.ofVirtual().unstarted(() -> {});

  private List<TimedPlaces.Place> got(Set<Long> waiting, Optional<TimedPlaces.Place> now) {
    List<TimedPlaces.Place> got = new ArrayList<>();
    wakes.got(Map.of(POOL, waiting), same -> now, got::add);
    return got;
  }

  @Test
  void gotWhatAThreadFromElsewhereGave() {
    wakes.begin();
    wakes.left(thread, TAKE, POOL, OTHER, true);
    assertEquals(List.of(TAKE), got(Set.of(thread.threadId()), Optional.of(TAKE)));
  }

  @Test
  void gotNothingFromAThreadThatWaitsToo() {
    wakes.begin();
    wakes.left(thread, TAKE, POOL, OTHER, true);
    assertEquals(List.of(), got(Set.of(OTHER), Optional.of(TAKE)));
  }

  /** A request whose time is over wakes the next one, and does something else for a while. */
  @Test
  void gotNothingFromAThreadThatGaveUp() {
    wakes.begin();
    wakes.left(Thread.currentThread(), TAKE, POOL, 0, true);
    wakes.begin();
    wakes.left(thread, TAKE, POOL, Thread.currentThread().threadId(), true);
    assertEquals(List.of(), got(Set.of(thread.threadId()), Optional.of(TAKE)));
  }

  /** All began at the same time, so each wakes the next one just before its own time is over. */
  @Test
  void gotNothingIfAllGiveUpOneAfterTheOther() {
    Thread third = Thread.ofVirtual().unstarted(() -> {});
    wakes.begin();
    wakes.left(third, TAKE, POOL, thread.threadId(), true);
    wakes.left(thread, TAKE, POOL, Thread.currentThread().threadId(), true);
    wakes.left(Thread.currentThread(), TAKE, POOL, 0, true);
    assertEquals(List.of(), got(Set.of(), Optional.empty()));
    wakes.begin();
    wakes.left(thread, TAKE, POOL, third.threadId(), true);
    assertEquals(List.of(TAKE), got(Set.of(), Optional.empty()), "it was woken itself");
  }

  @Test
  void gotSomethingFromAThreadThatGaveUpBefore() {
    wakes.begin();
    wakes.left(Thread.currentThread(), TAKE, POOL, 0, true);
    wakes.begin();
    wakes.begin();
    wakes.left(thread, TAKE, POOL, Thread.currentThread().threadId(), true);
    assertEquals(List.of(TAKE), got(Set.of(), Optional.of(TAKE)));
  }

  /** It looks again ten times a second, and may have got something at once. */
  @Test
  void gotSomethingFromAThreadThatOnlyLooksAgain() {
    wakes.begin();
    wakes.left(Thread.currentThread(), TAKE, POOL, 0, false);
    wakes.left(thread, TAKE, POOL, Thread.currentThread().threadId(), false);
    assertEquals(List.of(TAKE), got(Set.of(thread.threadId()), Optional.of(TAKE)));
  }
}
