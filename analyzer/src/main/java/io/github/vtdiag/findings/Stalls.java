package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.LongWait;
import io.github.vtdiag.recording.RecordingData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Finds virtual threads that had waited longer than anything healthy does when a recording ended,
 * for something that another thread has to bring about. Whether it would have come, no recording
 * tells.
 *
 * <p>Threads that have nothing to do are not among them: those that sleep, poll or take from a
 * queue, accept, read from a connection of their own, or wait with a timeout for anything but what
 * is scarce; and those that came back to a condition, a monitor or a plain park after they had gone
 * on from there, as workers do.
 */
public final class Stalls {
  /** What waits longer stands still, in a long recording. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** In a short one a wait of this part of it is long. */
  private static final int PART = 4;

  /** What waits for less time is never said to stand still. */
  private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Waits for other threads to end, which wait themselves. */
  private static final Set<String> JOINS =
      Set.of("Thread.join", "ExecutorService", "StructuredTaskScope", "thread flock");

  /** Waits by which idle workers wait for work, too. */
  private static final Set<String> OF_WORKERS = Set.of("Condition", "Object.wait", "");

  private static final int NAMED = 3;

  private Stalls() {}

  /** What threads stand still for, and in which method. */
  private record Place(String subject, String method) {}

  private record Stalled(Place place, int threads, long nanos) {
    Stalled and(Stalled other) {
      return new Stalled(place, threads + other.threads, Math.max(nanos, other.nanos));
    }

    /** {@code 100 virtual threads (Semaphore, app.Client.send)}. */
    String text() {
      String subject = place.subject.isEmpty() ? "park" : place.subject;
      return Figures.count(threads, "virtual thread")
          + " ("
          + subject
          + (place.method.isEmpty() ? "" : ", " + place.method)
          + ")";
    }
  }

  /** How long a wait has to have lasted in a recording of that length. */
  static long limit(long durationNanos) {
    return Math.max(SHORT_NANOS, Math.min(LONG_NANOS, durationNanos / PART));
  }

  /** The stacks on which threads had stood still when the recording ended. */
  static Set<Integer> stacks(RecordingData data) {
    Set<Integer> numbers = new HashSet<>();
    data.waits().atEnd().stream()
        .filter(wait -> wait.longestNanos() >= limit(data.facts().durationNanos()))
        .forEach(wait -> numbers.add(wait.stack()));
    return numbers;
  }

  /** That nothing shows what would have ended such waits, if there were any. */
  public static Optional<Gap> gap(RecordingData data) {
    List<Stalled> all = find(data);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    long longest = all.stream().mapToLong(Stalled::nanos).max().getAsLong();
    List<String> named = all.stream().limit(NAMED).map(Stalled::text).toList();
    int more = all.size() - named.size();
    return Optional.of(
        new Gap(
            Gap.Kind.STALLED_AT_END,
            data.facts().source(),
            "what would end the waits of "
                + String.join(", ", named)
                + (more == 0 ? "" : " and at " + Figures.count(more, "more place"))
                + ", the longest of which had lasted "
                + Figures.duration(longest)
                + " at the end"));
  }

  private static List<Stalled> find(RecordingData data) {
    Map<Place, Stalled> stalled = new LinkedHashMap<>();
    Map<Place, Stalled> joins = new LinkedHashMap<>();
    boolean idle = false;
    for (LongWait wait : data.waits().atEnd()) {
      StackTrace stack = data.waits().stacks().get(wait.stack());
      if (stack == null || wait.longestNanos() < limit(data.facts().durationNanos())) {
        continue;
      }
      Awaited awaited = KnownWaits.of(stack, wait.state());
      Optional<Frame> site = Places.outsideJdk(stack.frames());
      if (isForOthers(awaited, wait, site)) {
        Place place =
            new Place(
                awaited.subject(), site.or(awaited::inside).map(Frame::qualifiedMethod).orElse(""));
        (JOINS.contains(place.subject) ? joins : stalled)
            .merge(place, new Stalled(place, wait.threads(), wait.longestNanos()), Stalled::and);
      } else {
        idle = true;
      }
    }
    // Who joins others waits for those that stand still, or for those that have nothing to do.
    List<Stalled> all = new ArrayList<>((stalled.isEmpty() && !idle ? joins : stalled).values());
    all.sort(Comparator.comparingInt(Stalled::threads).reversed());
    return all;
  }

  /** Whether they wait for what another thread has to do, rather than for work. */
  private static boolean isForOthers(Awaited awaited, LongWait wait, Optional<Frame> site) {
    boolean untimed = wait.state() != Thread.State.TIMED_WAITING;
    boolean worked = wait.returned() > 0 && OF_WORKERS.contains(awaited.subject());
    return switch (awaited.kind()) {
      case POOL, SEMAPHORE, LOCK, MONITOR -> true;
      case FULL_QUEUE, FUTURE, ANSWER -> untimed;
      case SIGNAL -> untimed && !worked;
      // The JDK's own threads park like that.
      case UNKNOWN -> untimed && !worked && site.isPresent();
      case DATA, SLEEP, IDLE -> false;
    };
  }
}
