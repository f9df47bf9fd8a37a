package io.github.vtdiag.report;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.ReportEntries.Entry;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The entries that a document shows, and the text on those that it leaves out. */
final class ReportList {
  private final ReportEntries entries;
  private final Findings findings;
  private final Advice advice;
  private final Detail detail;
  private final List<Entry> listed;

  ReportList(ReportEntries entries, Findings findings, Advice advice, Detail detail) {
    this.entries = entries;
    this.findings = findings;
    this.advice = advice;
    this.detail = detail;
    listed = entries.all().stream().filter(this::isListed).toList();
  }

  /**
   * Returns whether an entry is listed; those that did not limit the program are in full reports
   * only.
   */
  private boolean isListed(Entry entry) {
    return switch (entry) {
      case Entry.Pins pins -> true;
      case Entry.Other(Behavior finding) -> entries.matters(finding) || detail == Detail.FULL;
    };
  }

  /**
   * Returns the entries that are shown.
   *
   * @param pins makes the item of pins with the same remedy
   * @param other makes the item of a wait or a misuse
   */
  List<Item> items(Function<AdviceEntry, Item> pins, Function<Behavior, Item> other) {
    return shown().stream()
        .map(
            entry ->
                switch (entry) {
                  case Entry.Pins(AdviceEntry of) -> pins.apply(of);
                  case Entry.Other(Behavior of) -> other.apply(of);
                })
        .toList();
  }

  private List<Entry> shown() {
    return listed.stream().limit(Report.MOST).toList();
  }

  /** Returns lines on what is left out, and where it is; empty if nothing is. */
  List<Phrase> rest() {
    List<Phrase> lines = new ArrayList<>();
    long advised = advice.entries().stream().mapToLong(entry -> entry.findings().size()).sum();
    long pins = findings.pins().size() - advised;
    long others = 0;
    for (Entry entry : listed.stream().skip(Report.MOST).toList()) {
      switch (entry) {
        case Entry.Pins left -> pins++;
        case Entry.Other left -> others++;
      }
    }
    List<String> parts = new ArrayList<>();
    if (pins > 0) {
      parts.add(
          "%s of pins, %s together".formatted(Figures.count(pins), Figures.duration(unshown())));
    }
    if (others > 0) {
      parts.add("%s of waits and misuse".formatted(Figures.count(others)));
    }
    if (!parts.isEmpty()) {
      lines.add(
          Phrase.of(
              "%s more: %s. --json lists them all."
                  .formatted(Figures.count(pins + others), String.join(", and ", parts))));
    }
    long harmless = findings.behaviors().stream().filter(each -> !entries.matters(each)).count();
    if (harmless > 0 && detail == Detail.BRIEF) {
      lines.add(
          Phrase.of(
              "Also found: %s that did not limit the program; -v lists %s."
                  .formatted(Figures.count(harmless, "finding"), harmless == 1 ? "it" : "them")));
    }
    return lines;
  }

  /** Returns the pinned time of the entries that are not shown and not minor. */
  private long unshown() {
    long nanos = findings.cost().totalNanos();
    nanos -= advice.minor().stream().mapToLong(AdviceEntry::total).sum();
    for (Entry entry : shown()) {
      nanos -= entry instanceof Entry.Pins(AdviceEntry of) ? of.total() : 0;
    }
    return Math.max(0, nanos);
  }
}
