package vtdiag.gate;

import java.util.List;
import java.util.Optional;

/**
 * What the user allows.
 *
 * @param limits at least one
 * @param evidence what to make of recordings that do not tell all
 */
public record Policy(List<Limit> limits, Evidence evidence) {

  /** The most that is allowed of a measure, or the least: as much is, more or less is not. */
  public record Limit(Measure measure, double value) {}

  /**
   * What to make of recordings that do not tell all.
   *
   * @param allowNoData a missing proof passes, with a warning
   * @param allowIncomplete a damaged recording, one that JFR lost events of, or one without the
   *     program's end or the beginning still proves something
   * @param strict every warning of something unseen is a missing proof
   * @param allowUnwatched recordings during which no watch looked at the carriers still prove
   *     something
   * @param allowHang that a program was seen to hang is a warning
   */
  public record Evidence(
      boolean allowNoData,
      boolean allowIncomplete,
      boolean strict,
      boolean allowUnwatched,
      boolean allowHang) {
    public static final Evidence NORMAL = new Evidence(false, false, false, false, false);
  }

  /** A limit that was checked, with the figure found; both as text with units. */
  public record Check(
      Measure measure, String figure, String limit, boolean broken, Optional<String> where) {}

  public Policy {
    limits = List.copyOf(limits);
    if (limits.isEmpty()) {
      throw new IllegalArgumentException("a policy needs a limit");
    }
  }
}
