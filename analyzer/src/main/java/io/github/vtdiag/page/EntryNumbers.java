package io.github.vtdiag.page;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Site;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The numbers that the report gives to what is to be done, by finding; 0 for what is harmless. */
final class EntryNumbers {
  private final int[] numbers;

  EntryNumbers(Findings findings, Advice advice) {
    Map<Site, Integer> bySite = new HashMap<>();
    int number = 0;
    for (AdviceEntry entry : advice.main()) {
      number++;
      for (Finding finding : entry.findings()) {
        bySite.put(finding.site(), number);
      }
    }
    List<Finding> all = findings.findings();
    numbers = all.stream().mapToInt(each -> bySite.getOrDefault(each.site(), 0)).toArray();
  }

  /** That of the finding at this place of {@link Findings#findings}. */
  int number(int finding) {
    return numbers[finding];
  }
}
