package vtdiag.gate;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the user allows; a limit is broken by more than it, not by as much.
 *
 * @param maxPinNanos the longest a single pin may be
 * @param maxTotalNanos the longest all pins may be together
 * @param maxCount how many pins there may be
 * @param maxCapacityLost the part of all carrier time that may be pinned, 0 to 1
 * @param evidence what to make of recordings that do not tell all
 */
public record Policy(
    OptionalLong maxPinNanos,
    OptionalLong maxTotalNanos,
    OptionalLong maxCount,
    OptionalDouble maxCapacityLost,
    Evidence evidence) {

  /**
   * What to make of recordings that do not tell all.
   *
   * @param allowNoData a missing proof passes, with a warning
   * @param allowIncomplete a damaged recording, or one that JFR lost events of, still proves
   *     something
   * @param strict every warning of something unseen is a missing proof
   */
  public record Evidence(boolean allowNoData, boolean allowIncomplete, boolean strict) {
    public static final Evidence NORMAL = new Evidence(false, false, false);
  }

  public Policy {
    if (maxPinNanos.isEmpty()
        && maxTotalNanos.isEmpty()
        && maxCount.isEmpty()
        && maxCapacityLost.isEmpty()) {
      throw new IllegalArgumentException("a policy needs a limit");
    }
  }

  /** A limit that was checked, with the figure found; both as text with units. */
  public record Check(
      Name name, String figure, String limit, boolean broken, Optional<String> where) {}

  /** The limits there are. */
  public enum Name {
    LONGEST_PIN("longest pin"),
    TOTAL("pinned time"),
    COUNT("pins"),
    CAPACITY_LOST("carrier time lost");

    private final String text;

    Name(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
