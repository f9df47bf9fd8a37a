package vtdiag.cli;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import vtdiag.advice.Advice;
import vtdiag.advice.Advised;
import vtdiag.advice.Recommendation;
import vtdiag.advice.Recommendation.Keep;
import vtdiag.advice.Recommendation.Why;
import vtdiag.patch.WantedLocks;
import vtdiag.safety.Decision;
import vtdiag.safety.Lock;

/** Takes from advice the locks that it recommends to rewrite, and those that may not be. */
final class AdvisedLocks {
  private AdvisedLocks() {}

  static WantedLocks of(Advice advice) {
    Set<List<Lock>> sets = new LinkedHashSet<>();
    Set<Decision.Declined> refused = new LinkedHashSet<>();
    for (Advised each : advice.advised()) {
      Stream.concat(Stream.of(each.recommendation()), each.together().stream())
          .forEach(
              recommendation -> {
                switch (recommendation) {
                  case Recommendation.Rewrite rewrite -> sets.add(rewrite.locks());
                  case Keep(Why.Refused why) -> refused.add(why.declined());
                  case Keep(Why.HeldTogether why) -> refused.add(why.declined());
                  case Keep keep -> {}
                  case Recommendation.UpgradeLibrary upgrade -> {}
                  case Recommendation.ChangePattern change -> {}
                  case Recommendation.UpgradeJdk upgrade -> {}
                }
              });
    }
    return new WantedLocks(sets, List.copyOf(refused));
  }
}
