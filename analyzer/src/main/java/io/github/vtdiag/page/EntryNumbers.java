package io.github.vtdiag.page;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.report.ReportEntries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The numbers that the report gives to what is to be done, by finding; 0 for what is harmless. */
final class EntryNumbers {
  private final int[] numbers;

  EntryNumbers(Findings findings, ReportEntries entries) {
    Map<Site, Integer> bySite = new HashMap<>();
    for (ReportEntries.Entry entry : entries.all()) {
      if (entry instanceof ReportEntries.Entry.Pins(AdviceEntry advice)) {
        advice.findings().forEach(pin -> bySite.put(pin.site(), entries.number(advice)));
      }
    }
    List<Pin> all = findings.pins();
    numbers = all.stream().mapToInt(each -> bySite.getOrDefault(each.site(), 0)).toArray();
  }

  /** That of the finding at this place of {@link Findings#pins}. */
  int number(int finding) {
    return numbers[finding];
  }
}
