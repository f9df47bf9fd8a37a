package io.github.vtdiag.pin;

import io.github.vtdiag.hang.RecordedKind;
import io.github.vtdiag.model.HangPlace;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A hang, as the agent reported it at that moment.
 *
 * @param startNanos when it was recorded, in nanoseconds since the epoch
 * @param number its number in that JVM, the same each time that it is recorded
 * @param kind its kind
 * @param deadlock whether it cannot end by itself
 * @param ended whether it had ended by then
 * @param lines the verdict first, then the evidence and what ends it
 * @param places the places of its threads; none from older agents
 * @param locks the objects that its threads hold or wait for, such as {@code
 *     java.util.Vector@1b2c3d}; none from older agents
 */
public record SeenHang(
    long startNanos,
    long number,
    RecordedKind kind,
    boolean deadlock,
    boolean ended,
    List<String> lines,
    List<HangPlace> places,
    Set<String> locks) {
  public SeenHang {
    lines = List.copyOf(lines);
    places = List.copyOf(places);
    locks = Set.copyOf(locks);
  }

  /**
   * Reads one from a {@link Events#HANG} event.
   *
   * @throws IllegalArgumentException if its places are malformed
   */
  public static SeenHang of(EventValues event) {
    return new SeenHang(
        event.startNanos(),
        event.number("hang"),
        RecordedKind.parse(event.text("kind")),
        event.number("deadlock") != 0,
        event.number("ended") != 0,
        event.text("text").lines().toList(),
        PlaceText.parse(event.text("places")),
        event.text("locks").lines().collect(Collectors.toSet()));
  }

  /** Returns whether it went on at the end. */
  public boolean isOngoing() {
    return deadlock || !ended;
  }
}
