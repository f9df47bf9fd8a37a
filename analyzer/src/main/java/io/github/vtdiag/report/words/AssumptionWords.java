package io.github.vtdiag.report.words;

import io.github.vtdiag.model.Article;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Assumptions.TrustedSite;
import java.util.ArrayList;
import java.util.List;

/** Assumptions in words. */
public final class AssumptionWords {
  private AssumptionWords() {}

  /** Returns one line each; the first says whether other code uses these classes. */
  public static List<String> lines(Assumptions assumed) {
    List<String> lines = new ArrayList<>();
    lines.add(
        switch (assumed.clients()) {
          case NONE -> "Assumed: no code outside the class path uses these classes.";
          case UNSEEN -> "Assumed: code outside the class path uses these classes (--library).";
        });
    lines.add(
        "Assumed: of a library, frameworks call by reflection only what is annotated, a setter, or"
            + " named in code.");
    for (TrustedSite site : assumed.trustedSites()) {
      lines.add("Assumed on your word: " + site.text() + " locks none of them (--trust-site).");
    }
    assumed.notShared().stream()
        .sorted()
        .map(
            type ->
                "Assumed on your word: only its known sites lock "
                    + Article.with(type)
                    + " (--assume-not-shared).")
        .forEach(lines::add);
    return lines;
  }
}
