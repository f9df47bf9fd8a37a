package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.ThreadGrowth;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.recording.SeenWaits;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds threads that are started faster than they end. Growth alone is no fault: a server has more
 * connections as it gets more clients. It is one if the threads wait for the same thing, or if most
 * of them only sleep.
 */
final class Backlog {
  /**
   * The part of the waiting threads that must wait for the same thing; the others have not got
   * there.
   */
  private static final double MOST = 0.5;

  private static final int FEW = 10;
  private static final double SECOND = 1e9;

  private Backlog() {}

  /**
   * Threads that wait for one lock or sleep at one place.
   *
   * @param sleeps whether they sleep: such threads block nobody, but they take memory
   */
  private record Line(int threads, StackTrace stack, boolean sleeps) {}

  static List<Behavior> find(DetectorInput in) {
    return find(in.data().waits(), in.places());
  }

  static List<Behavior> find(SeenWaits waits, Places places) {
    List<WaitLook> growing = new ArrayList<>(ThreadGrowth.growing(waits.looks()));
    // Threads that were woken at the end of the program no longer wait.
    while (!growing.isEmpty() && line(waits, growing.getLast()).isEmpty()) {
      growing.removeLast();
    }
    if (growing.size() < ThreadGrowth.LOOKS) {
      return List.of();
    }
    WaitLook first = growing.getFirst();
    WaitLook last = growing.getLast();
    long more = last.alive() - first.alive();
    Optional<Line> line = line(waits, last);
    if (more < ThreadGrowth.MANY || line.isEmpty()) {
      return List.of();
    }
    StackTrace stack = line.get().stack();
    double seconds = (last.startNanos() - first.startNanos()) / SECOND;
    double mean = growing.stream().mapToLong(WaitLook::alive).average().orElse(0);
    return List.of(
        new FindingBuilder(MisuseKind.NO_BACKPRESSURE, Places.outsideJdk(stack.frames()))
            .at(places.application(stack), places)
            .threads(more, false)
            .atOnce(mean, last.alive(), -1)
            .seen(growing.size(), Events.WAIT_LOOK)
            .detail("aSecond", Math.round(more / seconds))
            .detail(
                line.get().sleeps ? "sleepAtOnePlace" : "waitAtOnePlace",
                Math.round(part(line.get(), last) * last.alive()))
            .limits(!line.get().sleeps)
            .finding());
  }

  /**
   * Returns the largest crowd at one lock or in one sleep, if it is most of the waiting threads.
   */
  private static Optional<Line> line(SeenWaits waits, WaitLook look) {
    Map<String, Line> lines = new HashMap<>();
    for (WaitCrowd crowd : waits.crowds().getOrDefault(look.number(), List.of())) {
      StackTrace stack = waits.stacks().getOrDefault(crowd.stack(), StackTrace.ABSENT);
      if (KnownWaits.of(stack, crowd.state()).kind() == Awaited.Kind.SLEEP) {
        lines.merge("#" + crowd.stack(), new Line(crowd.threads(), stack, true), Backlog::both);
      }
      // A thread that waits for a lock of its own blocks nobody.
      if (!crowd.lockClass().isEmpty() && crowd.locks() == 1) {
        lines.merge(
            crowd.lockClass() + "@" + crowd.lockIdentity(),
            new Line(crowd.threads(), stack, false),
            Backlog::both);
      }
    }
    return lines.values().stream()
        .filter(line -> line.threads >= FEW && line.threads >= MOST * look.waiting())
        .max((one, two) -> Integer.compare(one.threads, two.threads));
  }

  private static Line both(Line one, Line two) {
    return new Line(
        one.threads + two.threads, one.threads >= two.threads ? one.stack : two.stack, one.sleeps);
  }

  private static double part(Line line, WaitLook look) {
    return look.looked() == 0 ? 0 : (double) line.threads / look.looked();
  }
}
