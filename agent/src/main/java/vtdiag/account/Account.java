package vtdiag.account;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Where the carriers' time went.
 *
 * @param spanNanos the time that it is about, by the clock
 * @param capacityNanos the carrier time that there was; 0 if it is not known
 * @param shares each use's part, one for every {@link Use}
 * @param pinned what is pinned by its reason, the most first
 * @param line the virtual threads that waited for a carrier, if the recording tells
 * @param processorNanos what the carriers had of the processors, if that is known
 * @param missing why some of it is not known
 */
public record Account(
    long spanNanos,
    long capacityNanos,
    Map<Use, Share> shares,
    List<Pinned> pinned,
    Optional<Line> line,
    OptionalLong processorNanos,
    Set<Missing> missing) {

  /** What a figure was taken from. */
  public enum Source {
    /** The agent's watch, which looks at every carrier some fifty times a second. */
    WATCH,
    /** JFR's samples of running threads. */
    SAMPLES,
    /** Events that tell of a time from its begin to its end. */
    EVENTS,
    /** The processor time of the carriers, as the operating system counts it. */
    PROCESSOR_TIME
  }

  /** What would be needed to know more. */
  public enum Missing {
    /** No watch looked at the carriers. */
    WATCH,
    /** The watch itself could not look for some of the time. */
    LOOKS,
    /** Samples of threads that run Java code. */
    JAVA_SAMPLES,
    /** Samples of threads in native code. */
    NATIVE_SAMPLES,
    /** Samples of more threads than JFR takes at a time. */
    MORE_SAMPLES,
    /** Events of file I/O. */
    FILE_EVENTS,
    /** Events of pins. */
    PINNED_EVENTS,
    /** How many carriers there were. */
    CAPACITY
  }

  /**
   * The time for one use.
   *
   * @param errorNanos how far off it can be, up or down, in 19 of 20 cases
   * @param atLeast whether it can be more than that as well: some of it was not recorded
   */
  public record Share(Use use, long nanos, long errorNanos, boolean atLeast, Set<Source> sources) {
    public Share {
      sources = Set.copyOf(sources);
    }
  }

  /** Pinned time of one reason. */
  public record Pinned(PinReason reason, long nanos) {}

  /**
   * The virtual threads that waited for a carrier.
   *
   * @param mean how many at a time
   * @param most how many at the worst of the moments at which somebody looked
   * @param partOfTime for which part of the time any waited, 0 to 1
   * @param moments at how many moments somebody looked
   */
  public record Line(double mean, long most, double partOfTime, long moments) {}

  public Account {
    shares = Map.copyOf(new EnumMap<>(shares));
    pinned = List.copyOf(pinned);
    missing = Set.copyOf(missing);
    if (shares.size() != Use.values().length) {
      throw new IllegalArgumentException("an account has a share for every use");
    }
  }

  /** The share of a use. */
  public Share share(Use use) {
    return shares.get(use);
  }

  /** The part of all carrier time that a use took, 0 to 1; 0 if the capacity is not known. */
  public double part(Use use) {
    return capacityNanos == 0 ? 0 : (double) share(use).nanos() / capacityNanos;
  }

  /** How far off {@link #part} can be, in 19 of 20 cases. */
  public double error(Use use) {
    return capacityNanos == 0 ? 1 : (double) share(use).errorNanos() / capacityNanos;
  }

  /** Whether it is known when carriers had nothing to do, rather than that nobody saw. */
  public boolean isIdleKnown() {
    return capacityNanos > 0 && !share(Use.IDLE).atLeast();
  }
}
