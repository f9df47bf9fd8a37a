package io.github.vtdiag.findings;

import static java.util.stream.Collectors.toSet;

import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.PinnedStalls;
import io.github.vtdiag.waits.ReportedHangs;
import io.github.vtdiag.waits.Stall;
import io.github.vtdiag.waits.StallLimit;
import io.github.vtdiag.waits.WaitDetail;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Finds the threads that were stalled when a recording ended. */
public final class Stalls {
  private Stalls() {}

  /**
   * Returns the numbers of the stacks on which threads were stalled when the recording ended.
   * Beside a stall these are also the stacks of threads that got through before, and then waited
   * for a lock as long as threads that never did: that they wait for the stall is likelier than
   * that the lock is busy.
   */
  static Set<Integer> stacks(RecordingData data) {
    Set<Stall.Place> places = found(data).stream().map(Stall::place).collect(toSet());
    StallLimit limit = limit(data);
    Map<Integer, StackTrace> stacks = data.waits().stacks();
    return data.waits().atEnd().stream()
        .filter(wait -> stacks.containsKey(wait.stack()))
        .filter(
            wait ->
                wait.longestNanos() >= limit.nanos()
                    || Stall.counts(wait, stacks.get(wait.stack()), limit))
        .filter(
            wait -> {
              Stall stall = Stall.of(wait, stacks.get(wait.stack()));
              return places.contains(stall.place())
                  || (!places.isEmpty()
                      && (stall.awaited().kind() == Awaited.Kind.LOCK
                          || stall.awaited().kind() == Awaited.Kind.MONITOR));
            })
        .map(LongWait::stack)
        .collect(toSet());
  }

  /**
   * Returns a gap if threads were stalled at the end and the agent had not reported a hang there:
   * nothing shows what would have ended their waits.
   */
  public static Optional<Gap> gap(RecordingData data) {
    ReportedHangs told = told(data.facts());
    List<Stall> all = found(data).stream().filter(stall -> !told.explain(stall)).toList();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    long longest = all.stream().mapToLong(Stall::longestNanos).max().orElseThrow();
    return Optional.of(Gap.stalled(data.facts().source(), Stall.unknownEnd(all), longest));
  }

  /**
   * Returns a gap if the recording ended before the program did, because a shutdown hook waited for
   * what nothing shows that would end it.
   */
  public static Optional<Gap> unendedExit(RecordingData data) {
    Map<Integer, StackTrace> stacks = data.waits().stacks();
    return data.waits().atEnd().stream()
        .filter(wait -> wait.detail().kind() == WaitDetail.Kind.EXIT_HOOK)
        .filter(wait -> stacks.containsKey(wait.stack()))
        .map(wait -> Stall.of(wait, stacks.get(wait.stack())).unendedExit())
        .map(why -> "the end of the program: " + why)
        .map(what -> new Gap(Gap.Kind.ENDED_EARLY, data.facts().source(), what))
        .findFirst();
  }

  /** Returns what was stalled at the end of a recording. */
  public static List<Stall> found(RecordingData data) {
    PinnedStalls pinned = pinned(data);
    return Stall.find(
        pinned.and(data.waits().atEnd()),
        pinned.and(data.waits().stacks()),
        goingOn(data),
        limit(data));
  }

  private static StallLimit limit(RecordingData data) {
    return StallLimit.atEnd(
        data.facts().programNanos(), data.waits().looks().stream().mapToLong(WaitLook::startNanos));
  }

  /**
   * Returns the pinned stalls. There are none during a hang, because most others wait for the hang
   * then.
   */
  private static PinnedStalls pinned(RecordingData data) {
    PinTable pins = data.pins();
    long recorded = data.facts().startNanos() + data.facts().durationNanos();
    // Shutdown hooks may go on for a while, and the pins that lasted are only told before.
    long end = data.facts().exitNanos().orElse(recorded);
    Set<Integer> threads = new HashSet<>();
    if (data.facts().hangs().stream().noneMatch(SeenHang::isOngoing)) {
      for (int row = 0; row < pins.size(); row++) {
        boolean ended = pins.looks().get(pins.look(row)).ended();
        if (PinnedStalls.mayReach(ended, pins.endNanos(row), pins.durationNanos(row), end)) {
          threads.add(pins.thread(row));
        }
      }
    }
    List<PinEpisode> theirs = new ArrayList<>();
    for (int row = 0; row < pins.size() && !threads.isEmpty(); row++) {
      if (threads.contains(pins.thread(row))) {
        theirs.add(pins.episode(row));
      }
    }
    return PinnedStalls.of(theirs, end);
  }

  private static long goingOn(RecordingData data) {
    List<WaitLook> looks = data.waits().looks();
    return looks.isEmpty() ? 0 : looks.getLast().goingOn();
  }

  /** The length of the longest such wait; empty if one of the recordings does not tell. */
  public static OptionalLong longest(List<RecordingData> recordings) {
    long longest = 0;
    for (RecordingData data : recordings) {
      List<WaitLook> looks = data.waits().looks();
      if (looks.isEmpty() || !looks.getLast().followed()) {
        return OptionalLong.empty();
      }
      PinnedStalls pinned = pinned(data);
      for (Stall stall :
          Stall.all(
              pinned.and(data.waits().atEnd()), pinned.and(data.waits().stacks()), goingOn(data))) {
        longest = Math.max(longest, stall.longestNanos());
      }
    }
    return recordings.isEmpty() ? OptionalLong.empty() : OptionalLong.of(longest);
  }

  /** Returns the hangs that the agent reported and that were not over. */
  private static ReportedHangs told(RecordingFacts facts) {
    ReportedHangs told = new ReportedHangs();
    facts.hangs().stream()
        .filter(SeenHang::isOngoing)
        .forEach(hang -> told.add(hang.deadlock(), hang.places(), hang.locks()));
    return told;
  }
}
