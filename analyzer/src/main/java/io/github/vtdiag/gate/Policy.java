package io.github.vtdiag.gate;

import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * The policy of the user.
 *
 * @param limits at least one, unless there is a baseline
 * @param allowances pins that do not count, and until when
 * @param baseline the known findings; empty for nothing to compare with
 * @param evidence how incomplete recordings are judged
 * @param ignored what was left out when the recordings were read, one clause each
 * @param today decides what has expired
 * @param file the policy's file, as the user knows it; empty if there are only options
 */
public record Policy(
    List<Limit> limits,
    List<Allowance> allowances,
    Optional<Baseline> baseline,
    Evidence evidence,
    List<String> ignored,
    LocalDate today,
    Optional<String> file) {

  /**
   * The most or the least that is allowed of a measure; the limit itself is allowed.
   *
   * @param scope whose pins it is about
   * @param origin where it is written: an option, or a file with the line
   */
  public record Limit(Measure measure, double value, Scope scope, String origin) {
    public Limit(Measure measure, double value) {
      this(measure, value, Scope.all(), measure.option());
    }

    public Limit {
      if (measure.about() != Measure.About.PINS && !(scope instanceof Scope.Everybody)) {
        throw new IllegalArgumentException(measure.id() + " is nobody's");
      }
    }
  }

  /**
   * A run whose findings are accepted.
   *
   * @param others whether findings other than pins fail too if they are new or worse; else they are
   *     warnings
   * @param origin where it is written
   */
  public record Baseline(RunSummary run, Tolerance tolerance, boolean others, String origin) {}

  /**
   * The rules for incomplete recordings.
   *
   * @param allowNoData a missing proof passes, with a warning
   * @param allowIncomplete a recording still proves something if it is damaged, has lost events, or
   *     lacks the program's beginning or end
   * @param strict every warning of something unseen is a missing proof
   * @param allowUnwatched recordings during which no watch sampled the carriers still prove
   *     something
   * @param allowHang a hang that was seen is a warning
   */
  public record Evidence(
      boolean allowNoData,
      boolean allowIncomplete,
      boolean strict,
      boolean allowUnwatched,
      boolean allowHang) {
    public static final Evidence NORMAL = new Evidence(false, false, false, false, false);
  }

  public Policy {
    limits = List.copyOf(limits);
    allowances = List.copyOf(allowances);
    ignored = List.copyOf(ignored);
    if (limits.isEmpty() && baseline.isEmpty()) {
      throw new IllegalArgumentException("a policy needs a limit or a baseline");
    }
  }

  /** Returns whether waits may be long: hangs are allowed, or a limit of the user's own decides. */
  public boolean mayStall() {
    return evidence.allowHang()
        || limits.stream().anyMatch(of -> of.measure().about() == Measure.About.WAITS);
  }
}
