package io.github.vtdiag.findings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Finding.Wait;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.SeenWaits;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A single thread is no bottleneck, but a report that is about its stall has to say what to do. */
class FewStalledThreadsTest {
  private static final int LOOKS = 10;

  /** Each at its own lock: so many threads, and the seconds for which they have waited. */
  private static List<Wait> find(long seconds, int... threads) {
    List<WaitLook> looks = new ArrayList<>();
    Map<Long, List<WaitCrowd>> crowds = new HashMap<>();
    for (long look = 1; look <= LOOKS; look++) {
      long number = look;
      looks.add(new WaitLook(look * 1_000_000_000, look, 100, 100, 100, true, false));
      crowds.put(
          look,
          IntStream.range(0, threads.length)
              .mapToObj(
                  at ->
                      new WaitCrowd(
                          number, at + 1, Thread.State.WAITING, "", 7 + at, 1, threads[at], 0, 0))
              .toList());
    }
    List<LongWait> atEnd = new ArrayList<>();
    Map<Integer, StackTrace> stacks = new HashMap<>();
    for (int at = 0; at < threads.length; at++) {
      atEnd.add(
          new LongWait(
              LOOKS,
              at + 1,
              Thread.State.WAITING,
              "",
              7 + at,
              threads[at],
              0,
              TimeUnit.SECONDS.toNanos(seconds),
              false,
              LongWait.Wakers.OTHERS,
              WaitDetail.NONE));
      stacks.put(
          at + 1,
          new StackTrace(
              List.of(
                  frame("java.util.concurrent.locks.ReentrantLock", "lock"),
                  frame("app.Orders" + at, "find")),
              false));
    }
    RecordingData data = new Pins().data();
    SeenWaits seen = new SeenWaits(looks, crowds, atEnd, stacks, Set.of(), List.of());
    RecordingData all =
        new RecordingData(
            data.facts(), data.pins(), data.events(), seen, data.lockMaps(), data.samples());
    return Waits.find(all, type -> new Owner.Jdk(), List.of());
  }

  private static Frame frame(String type, String method) {
    return new Frame(new ClassRef(type, ""), method, "", 0, -1, 1, Frame.Kind.UNKNOWN);
  }

  @Test
  void aThreadThatWaitsForAMomentIsNoFinding() {
    assertEquals(List.of(), find(1, 1));
  }

  @Test
  void aStallOfManyNeedsNoEntryForEachSingleThread() {
    assertEquals(1, find(60, 90, 1).size());
  }

  @Test
  void aStallOfOneThreadHasAnEntry() {
    List<Wait> found = find(60, 1);
    assertEquals(1, found.size());
    String advice = found.getFirst().kind().advice(found.getFirst().seen());
    assertTrue(advice.startsWith("No thread got it any more"), advice);
    assertEquals(3, find(60, 1, 1, 1, 1, 1).size());
  }
}
