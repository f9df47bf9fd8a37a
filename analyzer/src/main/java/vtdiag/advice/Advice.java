package vtdiag.advice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import vtdiag.advice.Recommendation.Keep;
import vtdiag.analysis.Finding;
import vtdiag.analysis.Findings.Freed;

/**
 * What to do about all findings.
 *
 * @param advised the advice for each finding, in the findings' order
 * @param all the carrier time that is freed if all of it is done
 * @param fixes what was known of libraries
 */
public record Advice(List<Advised> advised, Freed all, KnownFixes fixes) {

  /**
   * One thing to do, with all that has to be done together.
   *
   * @param recommendation what to do
   * @param together what has to be done besides
   * @param freed the carrier time that all of it frees
   * @param advised the findings it is for, the costliest first
   */
  public record Action(
      Recommendation recommendation,
      List<Recommendation> together,
      Freed freed,
      List<Advised> advised) {
    public Action {
      together = List.copyOf(together);
      advised = List.copyOf(advised);
    }
  }

  public Advice {
    advised = List.copyOf(advised);
  }

  public Advised of(Finding finding) {
    return advised.stream()
        .filter(each -> each.finding().equals(finding))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no finding of these: " + finding.title()));
  }

  /** The things to do, the one that frees most first; then what is left as it is. */
  public List<Action> actions() {
    record Key(Recommendation recommendation, List<Recommendation> together) {}
    Map<Key, List<Advised>> same = new LinkedHashMap<>();
    for (Advised each : advised) {
      same.computeIfAbsent(
              new Key(each.recommendation(), each.together()), key -> new ArrayList<>())
          .add(each);
    }
    return same.entrySet().stream()
        .map(
            entry ->
                new Action(
                    entry.getKey().recommendation(),
                    entry.getKey().together(),
                    entry.getValue().getFirst().effect().freed(),
                    entry.getValue()))
        .sorted(
            Comparator.comparing((Action action) -> action.recommendation() instanceof Keep)
                .thenComparing(action -> action.freed().upTo(), Comparator.reverseOrder()))
        .toList();
  }
}
