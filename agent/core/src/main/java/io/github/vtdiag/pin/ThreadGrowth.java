package io.github.vtdiag.pin;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Virtual threads whose number grew until the last snapshot.
 *
 * @param from their number at the first snapshot
 * @param to their number at the last snapshot
 * @param aSecond the growth per second
 * @param place where most of the additional threads wait; empty if that is unknown
 */
public record ThreadGrowth(long from, long to, double aSecond, Optional<Place> place) {
  /** The number of consecutive snapshots, each with more threads, that show growth. */
  public static final int LOOKS = 4;

  /** The smallest number of threads that can be a burden. */
  public static final long MANY = 500;

  private static final double MOST = 0.5;
  private static final double NEARLY_ALL = 0.8;
  private static final double SECOND = 1e9;

  /**
   * A place where threads wait.
   *
   * @param more the number of additional threads there since the first snapshot
   * @param waitsIn the application's method that waits
   * @param begunIn the application's method with which such a thread was started
   */
  public record Place(long more, Frame waitsIn, Frame begunIn) {}

  /**
   * Returns the snapshots up to the one with most threads, if the number rose for half of the time.
   */
  public static List<WaitLook> growing(List<WaitLook> looks) {
    int most = 0;
    for (int i = 0; i < looks.size(); i++) {
      most = looks.get(i).alive() > looks.get(most).alive() ? i : most;
    }
    List<WaitLook> growing = looks.subList(0, looks.isEmpty() ? 0 : most + 1);
    int grew = 0;
    for (int i = 1; i < growing.size(); i++) {
      grew += growing.get(i).alive() > growing.get(i - 1).alive() ? 1 : 0;
    }
    boolean toTheEnd = growing.size() >= MOST * looks.size();
    return toTheEnd && grew >= NEARLY_ALL * (growing.size() - 1) ? growing : List.of();
  }

  /**
   * Returns the growth that lasted to the end; empty if there was none.
   *
   * @param looks in the order of their time
   */
  public static Optional<ThreadGrowth> of(
      List<WaitLook> looks, Collection<WaitCrowd> crowds, Map<Integer, StackTrace> stacks) {
    List<WaitLook> growing = growing(looks);
    if (growing.size() < LOOKS || growing.size() < looks.size()) {
      return Optional.empty();
    }
    WaitLook first = growing.getFirst();
    WaitLook last = growing.getLast();
    long more = last.alive() - first.alive();
    if (more < MANY) {
      return Optional.empty();
    }
    Map<Integer, Double> grown = new HashMap<>();
    for (WaitCrowd crowd : crowds) {
      if (crowd.look() == last.number()) {
        grown.merge(crowd.stack(), crowd.threads() * WaitTally.scale(last), Double::sum);
      } else if (crowd.look() == first.number()) {
        grown.merge(crowd.stack(), -crowd.threads() * WaitTally.scale(first), Double::sum);
      }
    }
    double seconds = (last.startNanos() - first.startNanos()) / SECOND;
    return Optional.of(
        new ThreadGrowth(
            first.alive(),
            last.alive(),
            seconds <= 0 ? 0 : more / seconds,
            grown.entrySet().stream()
                .filter(each -> each.getValue() >= 1)
                .max(Map.Entry.comparingByValue())
                .flatMap(each -> place(Math.round(each.getValue()), stacks.get(each.getKey())))));
  }

  private static Optional<Place> place(long more, StackTrace stack) {
    List<Frame> written =
        stack == null
            ? List.of()
            : stack.frames().stream().filter(frame -> frame.type().isWritten()).toList();
    return written.isEmpty()
        ? Optional.empty()
        : Optional.of(new Place(more, written.getFirst(), written.getLast()));
  }

  /**
   * Returns {@code the number of virtual threads grew to the end: from 120 to 5,300, 520 a second}.
   */
  public String text() {
    return "the number of virtual threads grew to the end: from "
        + Figures.count(from)
        + " to "
        + Figures.count(to)
        + ", by "
        + Figures.count(Math.round(aSecond))
        + " a second"
        + place
            .map(
                at ->
                    "; "
                        + Figures.count(at.more)
                        + " of them wait in "
                        + at.waitsIn.qualifiedMethod()
                        + (at.waitsIn.equals(at.begunIn)
                            ? ""
                            : ", started with " + at.begunIn.qualifiedMethod()))
            .orElse("");
  }
}
