package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.waits.Awaited.Trait;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The facts about a wait or a misuse.
 *
 * @param subject what is waited for or used: a pool, a class, a path; for people
 * @param traits the traits of what is waited for; none of what is used
 * @param site the method of the application that leads there; empty if none is on the stacks
 * @param inside the method that waits or uses, in the application, a library or the JDK
 * @param owner the owner of that code
 * @param amount what it costs
 * @param count the number of times it was seen; the evidence says what was counted
 * @param atOnce the number of threads at a time, if that is known
 * @param limits whether it kept the program from going faster, as far as the recording shows;
 *     otherwise nobody needs to act
 * @param details further figures of this kind of finding, in this order
 * @param evidence the events that show it
 */
public record Observation(
    String subject,
    Set<Trait> traits,
    Optional<Frame> site,
    Optional<Frame> inside,
    Owner owner,
    Amount amount,
    long count,
    Optional<AtOnce> atOnce,
    boolean limits,
    List<Detail> details,
    Evidence evidence) {

  /**
   * The name of the detail for the lock that the users of a pool wait for while they have its
   * objects: the method that waits.
   */
  public static final String LOCK_OF_USERS = "lockOfUsers";

  /** A unit of measurement. */
  public enum Unit {
    /** The time of waiting threads; it takes no carrier. */
    THREAD_NANOS,
    CARRIER_NANOS,
    BYTES,
    NANOS,
    COUNT
  }

  /**
   * A quantity with its unit.
   *
   * @param estimated whether it is an estimate from samples
   */
  public record Amount(Unit unit, double value, boolean estimated) {}

  /**
   * The number of threads at a time.
   *
   * @param mean the average over all of the recording's time
   * @param most the most at one moment
   * @param share the average part of the virtual threads there were, 0 to 1; negative if not known
   */
  public record AtOnce(double mean, long most, double share) {}

  /**
   * A further figure, text or frame.
   *
   * @param name the name in JSON, such as {@code bound}
   * @param amount a figure; empty if the detail is a text or a frame
   * @param text a text; empty if the detail is a figure
   * @param frame a place in the code
   */
  public record Detail(String name, Optional<Amount> amount, String text, Optional<Frame> frame) {
    public static Detail of(String name, Unit unit, double value, boolean estimated) {
      return new Detail(
          name, Optional.of(new Amount(unit, value, estimated)), "", Optional.empty());
    }

    public static Detail of(String name, String text) {
      return new Detail(name, Optional.empty(), text, Optional.empty());
    }

    public static Detail of(String name, Frame frame) {
      return new Detail(name, Optional.empty(), "", Optional.of(frame));
    }
  }

  /**
   * The events that show it.
   *
   * @param events the events' names, as JFR has them
   * @param count the number of events
   * @param thresholdNanos the duration below which they were not recorded, if there is one
   */
  public record Evidence(List<String> events, long count, OptionalLong thresholdNanos) {
    public Evidence {
      events = List.copyOf(events);
    }
  }

  public Observation {
    traits = Set.copyOf(traits);
    details = List.copyOf(details);
  }

  /** Returns whether what is waited for has this trait. */
  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** Returns a detail by its name. */
  public Optional<Detail> detail(String name) {
    return details.stream().filter(detail -> detail.name().equals(name)).findFirst();
  }

  /** Returns the figure of a detail, rounded; empty if there is none of that name. */
  public Optional<Long> number(String name) {
    return figure(name).map(Math::round);
  }

  /** Returns the figure of a detail; empty if there is none of that name. */
  public Optional<Double> figure(String name) {
    return detail(name).flatMap(Detail::amount).map(Amount::value);
  }
}
