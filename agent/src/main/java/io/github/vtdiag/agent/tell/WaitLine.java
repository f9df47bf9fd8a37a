package io.github.vtdiag.agent.tell;

import io.github.vtdiag.model.Article;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.WrittenFrames;
import io.github.vtdiag.pin.ThreadGrowth;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import io.github.vtdiag.pin.WaitTally;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownPools;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The line about what virtual threads waited for without a carrier. It names a shortage, such as
 * that of a pool's objects, or else the results for which most threads waited, as the command line
 * finds them in the same samples.
 */
final class WaitLine {
  /** The number of waits that are named; the rest is counted. */
  private static final int NAMED = 2;

  private final List<WaitLook> looks = new ArrayList<>();
  private final List<WaitCrowd> crowds = new ArrayList<>();
  private final Map<Integer, WaitStack> stacks = new HashMap<>();

  /** The object of a stack's wait, and the method that asked for it. */
  private record Place(Awaited.Kind kind, boolean result, String subject, String method) {
    static Place of(WaitStack stack, Thread.State state) {
      Awaited awaited = stack.awaited(state);
      List<Frame> frames = stack.stack().frames();
      Optional<Frame> site =
          KnownPools.askedBy(frames)
              .map(KnownPools.Asked::asked)
              // The stalls in the same summary are named by the code that called a library, too.
              .or(() -> WrittenFrames.innermost(KnownLibraries.own(frames)))
              .or(() -> WrittenFrames.innermost(frames))
              .or(awaited::inside);
      return new Place(
          awaited.kind(),
          awaited.isResult(),
          awaited.subject(),
          site.map(Frame::qualifiedMethod).orElse(""));
    }
  }

  void add(WaitLook look) {
    looks.add(look);
  }

  void add(WaitCrowd crowd) {
    crowds.add(crowd);
  }

  void add(WaitStack stack) {
    stacks.put(stack.number(), stack);
  }

  /** Returns the stacks of the samples, by their numbers. */
  Map<Integer, StackTrace> stacks() {
    Map<Integer, StackTrace> all = new HashMap<>();
    stacks.forEach((number, stack) -> all.put(number, stack.stack()));
    return all;
  }

  /** Returns the number of the last sample; 0 if there was none. */
  long last() {
    return looks.stream().mapToLong(WaitLook::number).max().orElse(0);
  }

  /** Returns the times of all samples. */
  LongStream times() {
    return looks.stream().mapToLong(WaitLook::startNanos);
  }

  /** Returns the number of virtual threads that go on or wait at the last sample. */
  long goingOn() {
    return looks.stream()
        .max(Comparator.comparingLong(WaitLook::number))
        .map(WaitLook::goingOn)
        .orElse(0L);
  }

  /** Returns how the number of threads grew to the end; empty if it did not. */
  Optional<String> growth() {
    return ThreadGrowth.of(
            looks.stream().sorted(Comparator.comparingLong(WaitLook::startNanos)).toList(),
            crowds,
            stacks())
        .map(ThreadGrowth::text);
  }

  /** Returns the line; empty if there is nothing to name, or there are too few samples. */
  Optional<String> text() {
    if (looks.size() < WaitTally.FEWEST_LOOKS) {
      return Optional.empty();
    }
    Map<Long, WaitLook> byNumber = new HashMap<>();
    looks.forEach(look -> byNumber.put(look.number(), look));
    Map<Integer, Map<Thread.State, Place>> places = new HashMap<>();
    Map<Place, WaitTally> tallies = new LinkedHashMap<>();
    double busy = looks.stream().mapToDouble(look -> look.looked() * WaitTally.scale(look)).sum();
    for (WaitCrowd crowd : crowds) {
      WaitStack stack = stacks.get(crowd.stack());
      WaitLook look = byNumber.get(crowd.look());
      if (stack == null || look == null) {
        continue;
      }
      Place place =
          places
              .computeIfAbsent(crowd.stack(), number -> new HashMap<>())
              .computeIfAbsent(crowd.state(), state -> Place.of(stack, state));
      if (place.kind().isScarce() || place.result()) {
        tallies.computeIfAbsent(place, p -> new WaitTally()).add(look, crowd.threads());
      } else if (place.kind() == Awaited.Kind.IDLE) {
        busy -= crowd.threads() * WaitTally.scale(look);
      }
    }
    double meanBusy = busy / looks.size();
    Map<Place, WaitTally.Crowd> many = new LinkedHashMap<>();
    tallies.forEach(
        (place, tally) ->
            tally
                .of(looks)
                .filter(
                    crowd ->
                        crowd.mean()
                            >= meanBusy * (place.result() ? WaitTally.MOST : WaitTally.LEAST_SHARE))
                .ifPresent(crowd -> many.put(place, crowd)));
    if (many.keySet().stream().anyMatch(place -> !place.result())) {
      many.keySet().removeIf(Place::result);
    }
    if (many.isEmpty()) {
      return Optional.empty();
    }
    int more = Math.max(0, many.size() - NAMED);
    return Optional.of(
        "waits: "
            + many.entrySet().stream()
                .sorted(Comparator.comparingDouble(each -> -each.getValue().mean()))
                .limit(NAMED)
                .map(each -> text(each.getKey(), each.getValue()))
                .collect(Collectors.joining("; "))
            + (more == 0 ? "" : "; and at " + Figures.count(more, "more place")));
  }

  /**
   * Returns a text such as {@code 188 virtual threads at a time, up to 190, for HikariCP in
   * app.Orders.find}.
   */
  private static String text(Place place, WaitTally.Crowd crowd) {
    return Figures.count(Math.round(crowd.mean()), "virtual thread")
        + " at a time, up to "
        + Figures.count((long) Math.ceil(crowd.most()))
        + ", for "
        + (place.kind() == Awaited.Kind.MONITOR ? Article.with(place.subject()) : place.subject())
        + (place.method().isEmpty() ? "" : " in " + place.method());
  }
}
