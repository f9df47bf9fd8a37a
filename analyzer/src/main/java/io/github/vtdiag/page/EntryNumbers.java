package io.github.vtdiag.page;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.report.ReportEntries;
import java.util.HashMap;
import java.util.Map;

/** The numbers of the report's entries, by site; 0 for harmless pins. */
final class EntryNumbers {
  private final Map<Site, Integer> numbers = new HashMap<>();

  EntryNumbers(ReportEntries entries) {
    for (ReportEntries.Entry entry : entries.all()) {
      if (entry instanceof ReportEntries.Entry.Pins(AdviceEntry advice)) {
        advice.findings().forEach(pin -> numbers.put(pin.site(), entries.number(advice)));
      }
    }
  }

  int number(Site site) {
    return numbers.getOrDefault(site, 0);
  }
}
