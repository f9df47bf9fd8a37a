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
 * Threads that are started faster than they come through. That they become more is no fault: a
 * server has more connections as it gets more clients. It is one if they become more because they
 * wait for the same thing, or if most of them only sleep.
 */
final class Backlog {
  /** The part of those that wait that has to wait for the same thing; others had no turn yet. */
  private static final double MOST = 0.5;

  private static final int FEW = 10;
  private static final double SECOND = 1e9;

  private Backlog() {}

  /**
   * Threads at one lock, or that sleep at one place.
   *
   * @param sleeps whether they sleep: such threads are in nobody's way, but they are memory
   */
  private record Line(int threads, StackTrace stack, boolean sleeps) {}

  static List<Behavior> find(DetectorInput in) {
    return find(in.data().waits(), in.places());
  }

  static List<Behavior> find(SeenWaits waits, Places places) {
    List<WaitLook> growing = new ArrayList<>(ThreadGrowth.growing(waits.looks()));
    // Who was woken to end with the program does not wait any more.
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

  /** The largest crowd at one lock or in one sleep, if it is most of those that wait. */
  private static Optional<Line> line(SeenWaits waits, WaitLook look) {
    Map<String, Line> lines = new HashMap<>();
    for (WaitCrowd crowd : waits.crowds().getOrDefault(look.number(), List.of())) {
      StackTrace stack = waits.stacks().getOrDefault(crowd.stack(), StackTrace.ABSENT);
      if (KnownWaits.of(stack, crowd.state()).kind() == Awaited.Kind.SLEEP) {
        lines.merge("#" + crowd.stack(), new Line(crowd.threads(), stack, true), Backlog::both);
      }
      // Who waits for something of his own is not in anybody's way.
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
