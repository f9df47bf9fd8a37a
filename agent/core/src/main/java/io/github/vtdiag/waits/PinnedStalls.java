package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The waits on a carrier that were not over when the recording ended, as those that the agent
 * follows: who waits in {@code Object.wait} on Java 21 stands still no less than on Java 25, and
 * who is in native code that does not return.
 */
public final class PinnedStalls {
  private static final Set<String> TIMED =
      Set.of("parkNanos", "parkUntil", "awaitNanos", "awaitUntil", "sleep");

  /** {@code wait()} calls {@code wait(long)}. */
  private static final int FRAMES_OF_UNTIMED_WAIT = 2;

  private final List<LongWait> waits = new ArrayList<>();
  private final Map<Integer, StackTrace> stacks = new HashMap<>();

  private PinnedStalls() {}

  /**
   * Those among these pins.
   *
   * @param pins all of the threads that were pinned when the recording ended
   */
  public static PinnedStalls of(List<PinEpisode> pins) {
    PinnedStalls found = new PinnedStalls();
    Map<StackTrace, List<PinEpisode>> rows = new LinkedHashMap<>();
    pins.stream()
        .filter(pin -> !pin.ended())
        .forEach(pin -> rows.computeIfAbsent(pin.stack(), same -> new ArrayList<>()).add(pin));
    rows.forEach((stack, unended) -> found.add(pins, stack, unended));
    return found;
  }

  /** By the numbers of {@link #stacks}. */
  public List<LongWait> waits() {
    return waits;
  }

  /** With numbers that no other stack has. */
  public Map<Integer, StackTrace> stacks() {
    return stacks;
  }

  private void add(List<PinEpisode> pins, StackTrace stack, List<PinEpisode> unended) {
    Set<Long> threads = new HashSet<>();
    unended.forEach(pin -> threads.add(pin.thread().id()));
    Set<Long> before = new HashSet<>();
    for (PinEpisode pin : pins) {
      if (pin.ended() && threads.contains(pin.thread().id()) && pin.stack().equals(stack)) {
        before.add(pin.thread().id());
      }
    }
    int number = -1 - stacks.size();
    stacks.put(number, stack);
    waits.add(
        new LongWait(
            0,
            number,
            state(unended.getFirst().kind(), stack),
            "",
            0,
            threads.size(),
            before.size(),
            unended.stream().mapToLong(PinEpisode::durationNanos).max().getAsLong(),
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
