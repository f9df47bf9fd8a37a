package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.recording.SeenWaits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Threads that are started faster than they come through. That they become more is no fault: a
 * server has more connections as it gets more clients. It is one if they become more because they
 * wait for the same thing.
 */
final class Backlog {
  /** So many looks one after the other, each of which saw more than the one before. */
  private static final int LOOKS = 4;

  /** Fewer are no burden. */
  private static final long MANY = 500;

  /** The part of those that wait that has to wait for the same thing; others had no turn yet. */
  private static final double MOST = 0.5;

  private static final int FEW = 10;
  private static final double NEARLY_ALL = 0.8;
  private static final double SECOND = 1e9;

  private Backlog() {}

  /** Threads at one lock. */
  private record Line(int threads, StackTrace stack) {}

  static List<Behavior> find(DetectorInput in) {
    return find(in.data().waits(), in.places());
  }

  static List<Behavior> find(SeenWaits waits, Places places) {
    List<WaitLook> growing = new ArrayList<>(growing(waits.looks()));
    // Who was woken to end with the program does not wait any more.
    while (!growing.isEmpty() && line(waits, growing.getLast()).isEmpty()) {
      growing.removeLast();
    }
    if (growing.size() < LOOKS) {
      return List.of();
    }
    WaitLook first = growing.getFirst();
    WaitLook last = growing.getLast();
    long more = last.alive() - first.alive();
    Optional<Line> line = line(waits, last);
    if (more < MANY || line.isEmpty()) {
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
            .detail("waitAtOnePlace", Math.round(part(line.get(), last) * last.alive()))
            .limits(true)
            .finding());
  }

  /** The looks up to that which saw most, if they saw more and more. */
  private static List<WaitLook> growing(List<WaitLook> looks) {
    int most = 0;
    for (int i = 0; i < looks.size(); i++) {
      most = looks.get(i).alive() > looks.get(most).alive() ? i : most;
    }
    List<WaitLook> growing = new ArrayList<>(looks.subList(0, looks.isEmpty() ? 0 : most + 1));
    int grew = 0;
    for (int i = 1; i < growing.size(); i++) {
      grew += growing.get(i).alive() > growing.get(i - 1).alive() ? 1 : 0;
    }
    boolean toTheEnd = growing.size() >= MOST * looks.size();
    return toTheEnd && grew >= NEARLY_ALL * (growing.size() - 1) ? growing : List.of();
  }

  /** The largest crowd at one lock, if it is most of those that wait. */
  private static Optional<Line> line(SeenWaits waits, WaitLook look) {
    Map<String, Line> lines = new HashMap<>();
    for (WaitCrowd crowd : waits.crowds().getOrDefault(look.number(), List.of())) {
      // Who waits for something of his own is not in anybody's way.
      if (!crowd.lockClass().isEmpty() && crowd.locks() == 1) {
        lines.merge(
            crowd.lockClass() + "@" + crowd.lockIdentity(),
            new Line(
                crowd.threads(), waits.stacks().getOrDefault(crowd.stack(), StackTrace.ABSENT)),
            (one, two) ->
                new Line(
                    one.threads + two.threads, one.threads >= two.threads ? one.stack : two.stack));
      }
    }
    return lines.values().stream()
        .filter(line -> line.threads >= FEW && line.threads >= MOST * look.waiting())
        .max((one, two) -> Integer.compare(one.threads, two.threads));
  }

  private static double part(Line line, WaitLook look) {
    return look.looked() == 0 ? 0 : (double) line.threads / look.looked();
  }
}
