package io.github.vtdiag.gate;

import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * What the user allows.
 *
 * @param limits at least one, unless there is a baseline
 * @param allowances pins that do not count, and until when
 * @param baseline what was there already; empty for nothing to compare with
 * @param evidence what to make of recordings that do not tell all
 * @param ignored what was left out when the recordings were read, one clause each
 * @param today decides what has expired
 * @param file the policy's file, as the user knows it; empty if only options said what is allowed
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
   * The most that is allowed of a measure, or the least: as much is, more or less is not.
   *
   * @param scope whose pins it is about
   * @param origin where it stands: an option, or a file with the line
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
   * @param others whether what is no pin fails too if it is new or worse; else it is a warning
   * @param origin where it stands
   */
  public record Baseline(RunSummary run, Tolerance tolerance, boolean others, String origin) {}

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

  public Policy {
    limits = List.copyOf(limits);
    allowances = List.copyOf(allowances);
    ignored = List.copyOf(ignored);
    if (limits.isEmpty() && baseline.isEmpty()) {
      throw new IllegalArgumentException("a policy needs a limit or a baseline");
    }
  }

  /** Whether waits may be long: hangs are allowed, or a limit of the user's own decides. */
  public boolean mayStall() {
    return evidence.allowHang()
        || limits.stream().anyMatch(of -> of.measure().about() == Measure.About.WAITS);
  }

  /** Limits, and nothing else. */
  public Policy(List<Limit> limits, Evidence evidence) {
    this(limits, List.of(), Optional.empty(), evidence, List.of(), LocalDate.EPOCH);
  }

  /** Of no file. */
  public Policy(
      List<Limit> limits,
      List<Allowance> allowances,
      Optional<Baseline> baseline,
      Evidence evidence,
      List<String> ignored,
      LocalDate today) {
    this(limits, allowances, baseline, evidence, ignored, today, Optional.empty());
  }
}
