package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.baseline.BaselineFinding;
import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.FindingChange;
import java.util.List;
import java.util.Optional;

/** The decision of a gate. */
public sealed interface Verdict {

  /** Returns the limits whose figure is known, in the order of the policy; broken or not. */
  List<Check> checks();

  /** Returns the other grounds of the decision. */
  Basis basis();

  /** Returns warnings for the user, one sentence each; none of them changes the verdict. */
  List<String> warnings();

  /**
   * A limit that was checked.
   *
   * @param measured the figure, in the measure's unit
   * @param figure the same as text with the unit
   * @param limit what is allowed as text with the unit
   * @param where the finding with the most of it, as {@code com.example.Foo.bar (Foo.java:12)}
   * @param findings those that broke it, the worst first: of a limit on the longest pin those that
   *     are longer, of a sum all that add to it; none if it is not broken, or about the carriers
   */
  record Check(
      Policy.Limit of,
      double measured,
      String figure,
      String limit,
      boolean broken,
      Optional<String> where,
      List<Named> findings) {
    public Check {
      findings = List.copyOf(findings);
    }

    public Measure measure() {
      return of.measure();
    }

    public Scope scope() {
      return of.scope();
    }
  }

  /**
   * An allowance of the policy.
   *
   * @param expired whether its last day is over; then it allows nothing
   * @param findings those that are at its site
   */
  record Allowed(Allowance allowance, boolean expired, List<Named> findings) {
    public Allowed {
      findings = List.copyOf(findings);
    }
  }

  /**
   * The grounds of a verdict besides the figures.
   *
   * @param policy what was allowed, and what was ignored
   * @param allowances all of the policy, and the findings at their sites
   * @param difference the changes since the baseline; empty if there is none
   * @param broken the changes that the baseline does not accept
   * @param others the findings other than pins that are new or worse; the policy says if they fail
   */
  record Basis(
      Policy policy,
      List<Allowed> allowances,
      Optional<Difference> difference,
      List<Change> broken,
      List<FindingChange> others) {
    public Basis {
      allowances = List.copyOf(allowances);
      broken = List.copyOf(broken);
      others = List.copyOf(others);
    }

    /** Returns whether the baseline accepts all that it is asked to judge. */
    public boolean holds() {
      return broken.isEmpty() && (others.isEmpty() || !othersFail());
    }

    /** Returns whether findings other than pins fail as well. */
    public boolean othersFail() {
      return policy.baseline().filter(Policy.Baseline::others).isPresent();
    }

    /** Returns whether the baseline has no such hang; false if it cannot be compared. */
    public boolean isNew(Hang hang) {
      return difference
          .filter(of -> of.obstacles().isEmpty())
          .map(of -> of.before().others().stream().map(BaselineFinding::identity).toList())
          .map(before -> !before.containsAll(Identities.of(hang).keySet()))
          .orElse(false);
    }

    public List<Allowed> expired() {
      return allowances.stream().filter(Allowed::expired).toList();
    }
  }

  /** Every limit holds, and the recordings were able to show a violation. */
  record Pass(List<Check> checks, Basis basis, List<String> warnings) implements Verdict {
    public Pass {
      checks = List.copyOf(checks);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * A limit is broken, the program hung, a finding is new or worse than in the baseline, or an
   * allowance has expired. What the recordings do not show can only make it worse.
   *
   * @param hangs the hangs, one sentence each
   */
  record Fail(List<Check> checks, List<String> hangs, Basis basis, List<String> warnings)
      implements Verdict {
    public Fail {
      hangs = List.copyOf(hangs);
      checks = List.copyOf(checks);
      warnings = List.copyOf(warnings);
    }

    public List<Check> violations() {
      return checks.stream().filter(Check::broken).toList();
    }
  }

  /** No limit is seen broken, but the recordings could not have shown it. */
  record NoData(List<Check> checks, List<String> reasons, Basis basis, List<String> warnings)
      implements Verdict {
    public NoData {
      checks = List.copyOf(checks);
      reasons = List.copyOf(reasons);
      warnings = List.copyOf(warnings);
    }
  }
}
