package io.github.vtdiag.page;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.report.ReportEntries;
import java.util.HashMap;
import java.util.Map;

/** The numbers that the report gives to what is to be done, by site; 0 for what is harmless. */
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
