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
 * Virtual threads whose number grew until the last look.
 *
 * @param from how many there were at the first look
 * @param to how many at the last
 * @param aSecond how many more each second
 * @param place where most of those wait that came in addition; empty if they do not wait at places
 *     that are known
 */
public record ThreadGrowth(long from, long to, double aSecond, Optional<Place> place) {
  /** So many looks one after the other, each of which saw more than the one before. */
  public static final int LOOKS = 4;

  /** Fewer are no burden. */
  public static final long MANY = 500;

  private static final double MOST = 0.5;
  private static final double NEARLY_ALL = 0.8;
  private static final double SECOND = 1e9;

  /**
   * Where threads wait.
   *
   * @param more how many more wait there than at the first look
   * @param waitsIn the application's method that waits
   * @param begunIn the application's method that such a thread was started with
   */
  public record Place(long more, Frame waitsIn, Frame begunIn) {}

  /** The looks up to that which saw most, if they saw more and more for half of the time. */
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
   * What grew to the end; empty if nothing did.
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

  /** {@code the number of virtual threads grew to the end: from 120 to 5,300, 520 a second}. */
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
