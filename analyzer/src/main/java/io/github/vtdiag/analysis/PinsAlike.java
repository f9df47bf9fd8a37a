package io.github.vtdiag.analysis;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pins of one recording that look the same, each with its time, for who draws them. */
public final class PinsAlike {
  private final Attributed recorded;
  private final PinGroup alike;
  private final int finding;

  private PinsAlike(Attributed recorded, PinGroup alike, int finding) {
    this.recorded = recorded;
    this.alike = alike;
    this.finding = finding;
  }

  /**
   * All pins, by recording.
   *
   * @param findings what became of the same recordings
   */
  public static List<List<PinsAlike>> of(List<Recorded> recordings, Findings findings) {
    Map<Site, Integer> numbers = new HashMap<>();
    for (Pin finding : findings.pins()) {
      numbers.put(finding.site(), numbers.size());
    }
    SameSites same = Grouping.sameSites(recordings);
    List<List<PinsAlike>> all = new ArrayList<>();
    for (Recorded recorded : recordings) {
      Attributed pins = recorded.pins();
      all.add(
          pins.alike().stream()
              .map(
                  alike -> new PinsAlike(pins, alike, numbers.get(same.of(alike.sites.getFirst()))))
              .toList());
    }
    return all;
  }

  /** The place of their finding in {@link Findings#pins}. */
  public int finding() {
    return finding;
  }

  public StackTrace stack() {
    return alike.stack;
  }

  /** What held their carriers, innermost first. */
  public List<PinCause> causes() {
    return alike.attribution.causes();
  }

  /** Whether they were over when the recording ended. */
  public boolean ended() {
    return alike.ended;
  }

  public int count() {
    return Math.toIntExact(alike.count());
  }

  public long nanos() {
    return alike.nanos();
  }

  /** When a pin began, in nanoseconds since the epoch. */
  public long startNanos(int pin) {
    return alike.startNanos(pin);
  }

  public long durationNanos(int pin) {
    return alike.durationNanos(pin);
  }

  /** The carrier that a pin held; empty where the recording does not tell, as before JDK 24. */
  public Optional<ThreadRef> carrier(int pin) {
    int number = alike.carrier(pin);
    return number < 0 ? Optional.empty() : Optional.of(recorded.carriers().get(number));
  }

  public ThreadRef thread(int pin) {
    return recorded.thread(alike.thread(pin));
  }
}
