package io.github.vtdiag.cli;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.advice.Recommendation.Keep;
import io.github.vtdiag.advice.Recommendation.Why;
import io.github.vtdiag.patch.WantedLocks;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

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
