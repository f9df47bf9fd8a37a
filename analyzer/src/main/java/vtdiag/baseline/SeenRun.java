package vtdiag.baseline;

import java.util.List;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Identities;

/**
 * What was seen in one run of a program, of which there may be several recordings.
 *
 * @param name what people call it: a file, or how many
 * @param findings the pins by cause
 */
public record SeenRun(String name, Conditions conditions, List<Seen> findings) {
  public SeenRun {
    findings = List.copyOf(findings);
  }

  /** What the findings tell of a run. */
  public static SeenRun of(String name, Findings findings) {
    Identities identities = Identities.of(findings);
    return new SeenRun(
        name,
        Conditions.of(findings),
        findings.findings().stream()
            .map(each -> new Seen(identities.of(each), each.title(), each.cost()))
            .toList());
  }
}
