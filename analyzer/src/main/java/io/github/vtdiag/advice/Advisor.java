package io.github.vtdiag.advice;

import io.github.vtdiag.advice.Recommendation.Keep;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.advice.Recommendation.Why;
import io.github.vtdiag.advice.Remedies.Remedy;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.RefusalReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Finds one recommendation for each finding. Free of side effects. */
public final class Advisor {
  private final Findings findings;
  private final Remedies remedies;
  private final Expectations expectations;
  private final CauseIndex lineup;

  private Advisor(
      Findings findings, KnownFixes fixes, Function<LockSite, Decision> rules, OwnSources sources) {
    this.findings = findings;
    lineup = new CauseIndex(findings);
    remedies = new Remedies(findings, fixes, matched(findings, rules), sources, lineup);
    expectations = new Expectations(findings, lineup);
  }

  /**
   * Returns the rules for places that are in the class files. A place in other bytecode may be that
   * of another monitor.
   */
  private static Function<LockSite, Decision> matched(
      Findings findings, Function<LockSite, Decision> rules) {
    return site -> {
      String unmatched = findings.unmatched().get(site.id());
      return unmatched == null
          ? rules.apply(site)
          : new Decision.Declined(RefusalReason.CLASS_UNKNOWN, unmatched, List.of(site));
    };
  }

  /**
   * Advises on all findings.
   *
   * @param fixes the known fixes of libraries
   * @param rules decides whether a lock can be moved
   * @param sources the sources that the user has: such a class can be changed, even if its jar
   *     looks like a library's
   */
  public static Advice advise(
      Findings findings, KnownFixes fixes, Function<LockSite, Decision> rules, OwnSources sources) {
    Advisor advisor = new Advisor(findings, fixes, rules, sources);
    List<Advised> advised = findings.pins().stream().map(advisor::advise).toList();
    Set<Site> gone = new HashSet<>();
    Set<Site> onThisJava = new HashSet<>();
    for (Advised each : advised) {
      for (Recommendation one : each.all()) {
        Set<Site> by = advisor.lineup.goneBy(one);
        gone.addAll(by);
        if (!(one instanceof Recommendation.UpgradeJdk)) {
          onThisJava.addAll(by);
        }
      }
    }
    List<AdviceEntry> entries = new Entries(findings, advisor.lineup).of(advised);
    return new Advice(
        advised,
        entries,
        findings.sets().freedBy(gone),
        findings.sets().freedBy(onThisJava),
        fixes);
  }

  /**
   * Returns whether a cause is on so few of the stacks that it must not decide on the advice for
   * all. An example is a pool that opens its first connections: it holds a monitor around the
   * driver's.
   */
  private static boolean isSeldom(Pin.AlsoHeld also, Pin finding) {
    return also.count() * 4 < finding.count();
  }

  private Advised advise(Pin finding) {
    if (HarmlessPins.areShort(finding)) {
      return advised(finding, harmless(finding, "short, and few"), List.of());
    }
    Remedy primary = remedies.of(finding.site(), finding.cause(), finding.owner(), finding);
    if (primary.recommendation() instanceof Recommendation.ChangePattern change
        && change.pattern().ofMany().isPresent()) {
      if (HarmlessPins.areFewLoads(finding)) {
        return advised(
            finding, harmless(finding, "each class is loaded and initialized once"), List.of());
      }
      // The wait itself is gone, whatever is held around it.
      return advised(finding, primary, List.of());
    }
    Set<Site> gone = new HashSet<>(lineup.goneBy(primary.recommendation()));
    List<Lock> locks = new ArrayList<>();
    if (primary.recommendation() instanceof Rewrite rewrite) {
      locks.addAll(rewrite.locks());
    }
    Set<Recommendation> together = new LinkedHashSet<>();
    Optional<Why.HeldTogether> inTheWay = Optional.empty();
    Optional<String> needsLaterJava = Optional.empty();
    for (Pin.AlsoHeld also : finding.alsoHeld()) {
      if (gone.contains(also.site())) {
        continue;
      }
      Remedy remedy = remedies.of(also.site(), also.cause(), also.owner(), finding);
      Recommendation further = remedy.recommendation();
      if (further instanceof UpgradeJdk && isSeldom(also, finding)) {
        continue; // The freed time leaves the few pins with this cause out.
      }
      gone.addAll(lineup.goneBy(further));
      if (further instanceof Rewrite rewrite) {
        locks.addAll(rewrite.locks());
      } else if (further instanceof Keep(Why.Refused(Decision.Declined declined))) {
        inTheWay = inTheWay.or(() -> Optional.of(new Why.HeldTogether(also.site(), declined)));
      } else if (!(further instanceof Keep)) {
        if (further instanceof UpgradeJdk) {
          needsLaterJava =
              needsLaterJava.or(
                  () ->
                      Optional.of(
                          also.site().name()
                              + " is held on the same stacks and has to go as well: "
                              + remedy.why()));
        }
        together.add(further);
      }
    }
    if (!locks.isEmpty()) {
      Rewrite rewrite = Remedies.rewrite(locks);
      if (primary.recommendation() instanceof Rewrite) {
        primary = new Remedy(rewrite, primary.why());
      } else {
        together.add(rewrite);
      }
    }
    if (together.contains(new UpgradeJdk())) {
      // A library on the stack needs a later Java, which then frees the other monitors too.
      if (freesAllThat(new UpgradeJdk(), gone, finding)) {
        Remedy remedy = new Remedy(new UpgradeJdk(), needsLaterJava.orElseThrow());
        return advised(finding, remedy, List.of(), List.of());
      }
    }
    if (inTheWay.isPresent()
        && !(primary.recommendation() instanceof Keep)
        && findings.sets().freedBy(gone, finding).upTo() == 0) {
      Remedy keep =
          new Remedy(
              new Keep(inTheWay.get()),
              "it is held together with "
                  + inTheWay.get().other().name()
                  + ", which has to stay: replacing this one alone frees nothing");
      return advised(finding, keep, List.of());
    }
    if (primary.recommendation() instanceof Keep) {
      together.clear();
    }
    return advised(finding, primary, List.copyOf(together));
  }

  private static Remedy harmless(Pin finding, String why) {
    return new Remedy(
        new Keep(new Why.Harmless(finding.longest(), finding.shareOfCapacity().orElseThrow())),
        why);
  }

  private boolean freesAllThat(Recommendation one, Set<Site> gone, Pin finding) {
    return findings.sets().freedBy(lineup.goneBy(one), finding).upTo()
        >= findings.sets().freedBy(gone, finding).upTo();
  }

  private Advised advised(Pin finding, Remedy remedy, List<Recommendation> together) {
    return advised(
        finding, remedy, together, DesignPatterns.besides(finding, remedy.recommendation()));
  }

  private Advised advised(
      Pin finding, Remedy remedy, List<Recommendation> together, List<DesignPattern> patterns) {
    List<Recommendation> others = new ArrayList<>();
    for (DesignPattern pattern : patterns) {
      others.add(remedies.change(pattern, finding.site(), finding.owner()).recommendation());
    }
    boolean harmless = remedy.recommendation() instanceof Keep(Why.Harmless h);
    if (!(remedy.recommendation() instanceof UpgradeJdk) && !harmless) {
      others.add(new UpgradeJdk());
    }
    return new Advised(
        finding,
        remedy.recommendation(),
        remedy.why(),
        together,
        expectations.of(finding, remedy.recommendation(), together),
        others.stream()
            .map(other -> expectations.alternative(other, finding))
            .flatMap(Optional::stream)
            .toList());
  }

  /** Declines every site; the rules to use without class files. */
  public static Decision unknown(LockSite site) {
    return new Decision.Declined(
        RefusalReason.CLASS_UNKNOWN,
        "every other site of its lock has to be known; name the application's jars with"
            + " --classpath",
        List.of(site));
  }
}
