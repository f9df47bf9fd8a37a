package io.github.vtdiag.report.ci;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.patch.SourceLines;
import java.util.List;
import java.util.Map;

/**
 * What there is to tell a build server.
 *
 * @param identities what the findings are called from one build to the next
 * @param sources where their lines are
 * @param patches what is recommended to be rewritten for one finding together, as far as it is
 *     written
 * @param version vtdiag's own; empty where it is not known
 */
public record BuildReport(
    Findings findings,
    Verdict verdict,
    Advice advice,
    Identities identities,
    SourceLines sources,
    Map<List<Rewrite>, Patch> patches,
    String version) {
  public BuildReport {
    patches = Map.copyOf(patches);
  }
}
