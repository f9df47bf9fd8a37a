package io.github.vtdiag.analysis;

import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Pins of one recording that look the same, each with its time, for charts. */
public final class PinsAlike {
  private final Attributed recorded;
  private final PinGroup alike;
  private final Site site;

  private PinsAlike(Attributed recorded, PinGroup alike, Site site) {
    this.recorded = recorded;
    this.alike = alike;
    this.site = site;
  }

  /** Returns a function that finds the pins of any of these recordings. */
  public static Function<Recorded, List<PinsAlike>> of(List<Recorded> recordings) {
    SameSites same = Grouping.sameSites(recordings);
    return recorded ->
        recorded.pins().alike().stream()
            .map(alike -> new PinsAlike(recorded.pins(), alike, same.of(alike.sites.getFirst())))
            .toList();
  }

  /** Returns the site of their finding. */
  public Site site() {
    return site;
  }

  public StackTrace stack() {
    return alike.stack;
  }

  /** Returns the causes that held their carriers, innermost first. */
  public List<PinCause> causes() {
    return alike.attribution.causes();
  }

  public int count() {
    return Math.toIntExact(alike.count());
  }

  public long nanos() {
    return alike.nanos();
  }

  /** Returns when a pin began, in nanoseconds since the epoch. */
  public long startNanos(int pin) {
    return alike.startNanos(pin);
  }

  public long durationNanos(int pin) {
    return alike.durationNanos(pin);
  }

  /**
   * Returns the carrier that a pin held; empty if the recording does not have it, as before JDK 24.
   */
  public Optional<ThreadRef> carrier(int pin) {
    int number = alike.carrier(pin);
    return number < 0 ? Optional.empty() : Optional.of(recorded.carriers().get(number));
  }

  public ThreadRef thread(int pin) {
    return recorded.thread(alike.thread(pin));
  }
}
