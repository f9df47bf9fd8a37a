package io.github.vtdiag.report;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.verdict.Conclusion;
import io.github.vtdiag.verdict.Conclusions;
import io.github.vtdiag.verdict.Culprit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The entries of a report in numbered order; a number means the same entry in every document. The
 * entries that the verdict names come first, then the others by cost, last those that did not limit
 * the program.
 */
public final class ReportEntries {

  /** One entry. */
  public sealed interface Entry {
    /** Pins with the same remedy. */
    record Pins(AdviceEntry advice) implements Entry {}

    /** A wait or a misuse. */
    record Other(Behavior finding) implements Entry {}
  }

  /** The importance of an entry. */
  private enum Rank {
    /** The cause of a bottleneck that is another entry. */
    CAUSE,
    BOTTLENECK,
    LIMITS,
    HARMLESS
  }

  private final List<Entry> all;
  private final Optional<Behavior> named;
  private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

  /** Orders the findings of a run. */
  public ReportEntries(Findings findings, Advice advice) {
    Conclusion conclusion = Conclusions.of(findings);
    named = conclusion.other();
    List<Entry> entries = new ArrayList<>();
    advice.main().forEach(entry -> entries.add(new Entry.Pins(entry)));
    findings.behaviors().forEach(finding -> entries.add(new Entry.Other(finding)));
    // Sorting is stable: among equals the findings' own order stays.
    entries.sort(
        Comparator.comparing((Entry entry) -> rank(entry, conclusion, findings))
            .thenComparingDouble(entry -> -nanos(entry)));
    all = List.copyOf(entries);
    for (int i = 0; i < all.size(); i++) {
      numbers.put(key(all.get(i)), i + 1);
    }
  }

  /** Returns all entries; number 1 first. */
  public List<Entry> all() {
    return all;
  }

  /** Returns whether a wait or a misuse limited the program, or the verdict names it. */
  public boolean matters(Behavior finding) {
    return finding.seen().limits() || named.filter(finding::equals).isPresent();
  }

  /** Returns the number of an entry about pins. */
  public int number(AdviceEntry entry) {
    return numbers.get(entry);
  }

  /** Returns the number of a wait or a misuse. */
  public int number(Behavior finding) {
    return numbers.get(finding);
  }

  private static Object key(Entry entry) {
    return switch (entry) {
      case Entry.Pins pins -> pins.advice();
      case Entry.Other other -> other.finding();
    };
  }

  private Rank rank(Entry entry, Conclusion conclusion, Findings findings) {
    return switch (entry) {
      case Entry.Pins pins when conclusion.kind() == Bottleneck.PINNED -> Rank.BOTTLENECK;
      // Nothing goes on before one of these does, whoever waits for whom besides.
      case Entry.Pins(AdviceEntry of) when keepsAllCarriers(of, findings) -> Rank.CAUSE;
      case Entry.Pins(AdviceEntry of) ->
          conclusion.culprit().map(Culprit::finding).filter(of.findings()::contains).isPresent()
              ? Rank.CAUSE
              : Rank.LIMITS;
      case Entry.Other(Behavior finding) when !matters(finding) -> Rank.HARMLESS;
      case Entry.Other(Behavior finding) ->
          conclusion.kind() == finding.kind().bottleneck() ? Rank.BOTTLENECK : Rank.LIMITS;
    };
  }

  /** Returns whether its pins were among those that kept every carrier when a recording ended. */
  private static boolean keepsAllCarriers(AdviceEntry entry, Findings findings) {
    return !findings.endings().isEmpty()
        && entry.findings().stream().anyMatch(pin -> pin.unended() > 0);
  }

  /** Returns the time of carriers, or of waiting threads; 0 for other amounts, which come last. */
  private static double nanos(Entry entry) {
    return switch (entry) {
      case Entry.Pins pins -> pins.advice().total();
      case Entry.Other(Behavior finding) -> nanos(finding.seen().amount());
    };
  }

  private static double nanos(Observation.Amount amount) {
    return switch (amount.unit()) {
      case THREAD_NANOS, CARRIER_NANOS, NANOS -> amount.value();
      case BYTES, COUNT -> 0;
    };
  }
}
