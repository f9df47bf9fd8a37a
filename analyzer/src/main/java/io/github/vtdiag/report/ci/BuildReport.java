package io.github.vtdiag.report.ci;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.source.SourceLines;
import java.util.List;
import java.util.Map;

/**
 * The input of all formats for build servers.
 *
 * @param identities the identities of the findings from one build to the next
 * @param sources finds the findings' lines in the user's sources
 * @param patches the patch for each set of rewrites that one finding needs together, as far as it
 *     can be written
 * @param version vtdiag's own version; empty if it is not known
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
