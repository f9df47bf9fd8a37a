package io.github.vtdiag.recording;

import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.pin.Events.WatchLook;
import io.github.vtdiag.pin.KeptCarrier;
import io.github.vtdiag.pin.OtherCarriers;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.pin.WatchedWaits;
import io.github.vtdiag.recording.TimeRange.Span;
import io.github.vtdiag.recording.Watched.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Gathers what the agent's watch over the carriers wrote. */
final class WatchFacts {
  /**
   * The time between two events of the watch: once a second, and a busy machine may be late by as
   * much.
   */
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final List<KeptCarrier> waits = new ArrayList<>();
  private final List<WatchLook> looks = new ArrayList<>();

  /** The hangs by their number, each as it was first and last reported. */
  private final Map<Long, List<SeenHang>> hangs = new LinkedHashMap<>();

  void add(KeptCarrier wait) {
    waits.add(wait);
  }

  void add(WatchLook look) {
    looks.add(look);
  }

  void add(SeenHang hang) {
    hangs.computeIfAbsent(hang.number(), number -> new ArrayList<>()).add(hang);
  }

  /** Returns the hangs in a time. */
  List<SeenHang> hangsIn(Span span) {
    List<SeenHang> inside = new ArrayList<>();
    for (List<SeenHang> told : hangs.values()) {
      told.sort(Comparator.comparingLong(SeenHang::startNanos));
      SeenHang last = told.getLast();
      long begin = told.getFirst().startNanos();
      boolean ended = last.ended() && last.startNanos() <= span.to();
      if (begin <= span.to() && (!last.ended() || last.startNanos() >= span.from())) {
        List<String> words =
            last.lines().isEmpty() ? List.of(last.kind().wireName()) : last.lines();
        inside.add(
            new SeenHang(
                begin,
                last.number(),
                last.kind(),
                last.deadlock(),
                ended,
                words,
                last.places(),
                last.locks()));
      }
    }
    return inside;
  }

  /**
   * Adds the waits that no event of the JDK covers to the pins.
   *
   * @param all the waits of this JVM, also of files read before
   */
  void addTo(PinTable pins, WatchedWaits all, int jdk) {
    waits.forEach(all::add);
    looks.forEach(all::add);
    if (all.isEmpty()) {
      return;
    }
    boolean[] concerned = new boolean[pins.threads().size()];
    for (int thread = 0; thread < concerned.length; thread++) {
      concerned[thread] = all.concerns(pins.threads().get(thread).id());
    }
    for (int row = 0; row < pins.size(); row++) {
      if (concerned[pins.thread(row)]) {
        all.told(
            pins.threads().get(pins.thread(row)).id(), pins.startNanos(row), pins.endNanos(row));
      }
    }
    for (WatchedWaits.Untold untold : all.untold(jdk)) {
      // Before, the carriers of the other pins are unknown: one would be drawn in two rows.
      if (jdk >= JavaRelease.UNPINNED_MONITORS && untold.carrier().id() > 0) {
        pins.add(untold.pin(), untold.carrier());
      } else {
        pins.add(untold.pin());
      }
    }
  }

  /** Returns what the watch saw in a time; empty if it did not run then. */
  Optional<Watched> in(Span span) {
    List<WatchLook> inside =
        looks.stream()
            .filter(
                look ->
                    look.startNanos() >= span.from() - PERIOD_NANOS
                        && look.startNanos() <= span.to() + PERIOD_NANOS)
            .sorted(Comparator.comparingLong(WatchLook::startNanos))
            .toList();
    if (inside.isEmpty()) {
      return Optional.empty();
    }
    long seenTo = span.from();
    long blind = 0;
    for (WatchLook look : inside) {
      // The gap within the time since the last event. The gap of a watch that has ended grows, so
      // it counts more than once.
      blind += Math.max(0, look.longestGapNanos() - PERIOD_NANOS);
      seenTo = Math.max(seenTo, look.startNanos());
    }
    blind += Math.max(0, inside.getFirst().startNanos() - span.from() - PERIOD_NANOS);
    OptionalLong exit =
        inside.stream().filter(WatchLook::atExit).mapToLong(WatchLook::startNanos).max();
    // After the exit began only shutdown hooks go on, which the agent watches in another way.
    if (exit.isEmpty()) {
      blind += Math.max(0, span.to() - seenTo - PERIOD_NANOS);
    }
    return Optional.of(
        new Watched(
            inside.stream().mapToLong(WatchLook::thresholdNanos).max().getAsLong(),
            inside.stream().mapToLong(WatchLook::nativeNanos).max().getAsLong(),
            Math.min(blind, Math.max(0, span.to() - span.from())),
            exit,
            inside.stream()
                .map(
                    look ->
                        new Sample(
                            look.startNanos(),
                            look.carriers(),
                            look.kept(),
                            look.idle(),
                            look.queued()))
                .toList(),
            inside.stream().map(WatchLook::looked).filter(looked -> looked.capacity() > 0).toList(),
            inside.stream()
                .mapToLong(look -> look.others().count() * look.looked().spanNanos())
                .sum(),
            inside.stream()
                .map(WatchLook::others)
                .max(Comparator.comparingInt(OtherCarriers::count))
                .orElseThrow()));
  }
}
