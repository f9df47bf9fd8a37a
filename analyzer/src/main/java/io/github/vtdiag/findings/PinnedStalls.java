package io.github.vtdiag.findings;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.waits.LongWait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The waits on a carrier that were not over when the recording ended, as those that the agent
 * follows: who waits in {@code Object.wait} on Java 21 stands still no less than on Java 25, and
 * who is in native code that does not return.
 */
final class PinnedStalls {
  private static final Set<String> TIMED =
      Set.of("parkNanos", "parkUntil", "awaitNanos", "awaitUntil", "sleep");

  /** {@code wait()} calls {@code wait(long)}. */
  private static final int FRAMES_OF_UNTIMED_WAIT = 2;

  private final List<LongWait> waits = new ArrayList<>();
  private final Map<Integer, StackTrace> stacks = new HashMap<>();

  private PinnedStalls() {}

  /** Those of a recording; none where something hangs, because most others wait for that then. */
  static PinnedStalls of(RecordingData data) {
    PinnedStalls found = new PinnedStalls();
    PinTable pins = data.pins();
    if (data.facts().hangs().stream().noneMatch(RecordingFacts.Hang::isOngoing)) {
      Map<StackTrace, List<Integer>> rows = new HashMap<>();
      for (int row = 0; row < pins.size(); row++) {
        PinTable.Look look = pins.looks().get(pins.look(row));
        if (!look.ended()) {
          rows.computeIfAbsent(look.stack(), same -> new ArrayList<>()).add(row);
        }
      }
      rows.forEach((stack, unended) -> found.add(pins, stack, unended));
    }
    return found;
  }

  /** By the numbers of {@link #stacks}. */
  List<LongWait> waits() {
    return waits;
  }

  /** With numbers that no other stack has. */
  Map<Integer, StackTrace> stacks() {
    return stacks;
  }

  private void add(PinTable pins, StackTrace stack, List<Integer> rows) {
    Set<Integer> threads = new HashSet<>();
    rows.forEach(row -> threads.add(pins.thread(row)));
    Set<Integer> before = new HashSet<>();
    for (int row = 0; row < pins.size(); row++) {
      PinTable.Look look = pins.looks().get(pins.look(row));
      if (look.ended() && threads.contains(pins.thread(row)) && look.stack().equals(stack)) {
        before.add(pins.thread(row));
      }
    }
    int number = -1 - stacks.size();
    stacks.put(number, stack);
    waits.add(
        new LongWait(
            0,
            number,
            state(pins.looks().get(pins.look(rows.getFirst())).kind(), stack),
            "",
            0,
            threads.size(),
            before.size(),
            rows.stream().mapToLong(pins::durationNanos).max().getAsLong(),
            false,
            LongWait.Wakers.NOT_KNOWN,
            ""));
  }

  private static Thread.State state(PinEpisode.Kind kind, StackTrace stack) {
    if (kind == PinEpisode.Kind.MONITOR_ENTER) {
      return Thread.State.BLOCKED;
    }
    if (kind == PinEpisode.Kind.NATIVE) {
      return Thread.State.RUNNABLE;
    }
    boolean timed =
        stack.frames().stream()
            .takeWhile(frame -> frame.type().isJdk())
            .anyMatch(frame -> TIMED.contains(frame.method()));
    long waits =
        stack.frames().stream()
            .takeWhile(frame -> frame.type().isJdk())
            .filter(PinnedStalls::isWait)
            .count();
    return timed || (waits > 0 && waits < FRAMES_OF_UNTIMED_WAIT)
        ? Thread.State.TIMED_WAITING
        : Thread.State.WAITING;
  }

  private static boolean isWait(Frame frame) {
    return frame.qualifiedMethod().equals("java.lang.Object.wait");
  }
}
