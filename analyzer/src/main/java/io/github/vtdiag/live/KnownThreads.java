package io.github.vtdiag.live;

import io.github.vtdiag.live.TopSample.CarrierRow;
import io.github.vtdiag.live.TopSample.Carrying;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The virtual threads that the recording names. */
final class KnownThreads {
  /**
   * The most threads that are kept. A program may have millions; those that matter are on a
   * carrier.
   */
  private static final int MOST = 10_000;

  /** The time for which a thread had monopolized its carrier when the recording was read. */
  record Kept(long nanos) {}

  private record Place(long nanos, Frame frame) {}

  private final Map<Long, String> names =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > MOST;
        }
      };
  private Map<Long, Place> places = Map.of();
  private Map<Long, Kept> kept = Map.of();

  /** Adds the latest recordings. */
  void read(List<RecordingData> recordings) {
    Map<Long, Place> newPlaces = new HashMap<>();
    Map<Long, Kept> newKept = new HashMap<>();
    for (RecordingData data : recordings) {
      PinTable pins = data.pins();
      for (int row = 0; row < pins.size(); row++) {
        ThreadRef thread = pins.threads().get(pins.thread(row));
        PinTable.Look look = pins.looks().get(pins.look(row));
        if (!look.ended()) {
          newKept.put(thread.id(), new Kept(pins.durationNanos(row)));
        }
        place(newPlaces, thread, pins.endNanos(row), look.stack());
      }
      EventTable events = data.events();
      for (int row = 0; row < events.size(); row++) {
        place(
            newPlaces,
            events.threads().get(events.thread(row)),
            events.endNanos(row),
            events.looks().get(events.look(row)).stack());
      }
    }
    places = newPlaces;
    kept = newKept;
  }

  private void place(Map<Long, Place> to, ThreadRef thread, long nanos, StackTrace stack) {
    names.put(thread.id(), thread.name());
    Place before = to.get(thread.id());
    if (before == null || before.nanos() <= nanos) {
      CarrierSamples.application(stack.frames())
          .ifPresent(frame -> to.put(thread.id(), new Place(nanos, frame)));
    }
  }

  /** Returns a carrier with what is known of the thread on it. */
  CarrierRow completed(CarrierRow row) {
    return new CarrierRow(
        row.id(), row.name(), row.state(), row.busy(), row.carrying().map(this::completed));
  }

  private Carrying completed(Carrying carrying) {
    Optional<Kept> stays = Optional.ofNullable(kept.get(carrying.thread()));
    return new Carrying(
        carrying.thread(),
        names.getOrDefault(carrying.thread(), ""),
        Math.max(carrying.nanos(), stays.map(Kept::nanos).orElse(0L)),
        stays.isPresent(),
        carrying
            .where()
            .or(() -> Optional.ofNullable(places.get(carrying.thread())).map(Place::frame)));
  }
}
