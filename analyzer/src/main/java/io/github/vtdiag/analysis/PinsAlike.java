package io.github.vtdiag.analysis;

import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Pins of one recording that look the same, each with its time, for who draws them. */
public final class PinsAlike {
  private final Attributed recorded;
  private final PinGroup alike;
  private final Site site;

  private PinsAlike(Attributed recorded, PinGroup alike, Site site) {
    this.recorded = recorded;
    this.alike = alike;
    this.site = site;
  }

  /** Finds the pins of any of these recordings. */
  public static Function<Recorded, List<PinsAlike>> of(List<Recorded> recordings) {
    SameSites same = Grouping.sameSites(recordings);
    return recorded ->
        recorded.pins().alike().stream()
            .map(alike -> new PinsAlike(recorded.pins(), alike, same.of(alike.sites.getFirst())))
            .toList();
  }

  /** That of their finding. */
  public Site site() {
    return site;
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
