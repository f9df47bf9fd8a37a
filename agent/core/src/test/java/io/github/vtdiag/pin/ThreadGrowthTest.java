package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadGrowthTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private static Frame frame(String type, String method) {
    return new Frame(new ClassRef(type, "app"), method, "()V", 0, 1, 1, Frame.Kind.COMPILED);
  }

  /** One look a second, each of which sees ten threads of that number, all at one place. */
  private static Optional<String> growth(long... alive) {
    List<WaitLook> looks = new ArrayList<>();
    List<WaitCrowd> crowds = new ArrayList<>();
    for (int i = 0; i < alive.length; i++) {
      looks.add(new WaitLook(i * SECOND, i, alive[i], 10, 10, true, false));
      crowds.add(new WaitCrowd(i, 1, Thread.State.TIMED_WAITING, "", 0, 0, 9, 0, 0));
      crowds.add(new WaitCrowd(i, 2, Thread.State.WAITING, "", 0, 0, 1, 0, 0));
    }
    StackTrace polls =
        new StackTrace(
            List.of(
                frame("java.lang.Thread", "sleep"),
                frame("app.Poller", "pause"),
                frame("app.Poller", "run"),
                frame("java.lang.VirtualThread", "run")),
            false);
    StackTrace serves =
        new StackTrace(
            List.of(
                frame("java.util.concurrent.locks.LockSupport", "park"),
                frame("app.Server", "serve")),
            false);
    return ThreadGrowth.of(looks, crowds, Map.of(1, polls, 2, serves)).map(ThreadGrowth::text);
  }

  @Test
  void whatDoesNotGrowToTheEndIsNotTold() {
    assertEquals(Optional.empty(), growth());
    assertEquals(Optional.empty(), growth(1000, 2000, 3000), "too short a time");
    assertEquals(Optional.empty(), growth(10, 20, 30, 40, 50), "few");
    assertEquals(Optional.empty(), growth(5000, 5000, 5000, 5000, 5000));
    assertEquals(Optional.empty(), growth(1000, 2000, 3000, 4000, 3900), "it ended");
    assertEquals(Optional.empty(), growth(1000, 500, 400, 300, 2000), "a burst at the end");
  }

  @Test
  void growthIsToldWithWhereTheyWaitAndWhatTheyWereStartedWith() {
    assertEquals(
        Optional.of(
            "the number of virtual threads grew to the end: from 1,000 to 5,000, by 1,000 a second;"
                + " 3,600 of them wait in app.Poller.pause, started with app.Poller.run"),
        growth(1000, 2000, 3000, 4000, 5000));
  }
}
