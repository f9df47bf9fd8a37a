package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import java.util.List;

/**
 * The advice for all findings.
 *
 * @param advised the advice for each finding, in the findings' order
 * @param entries the same advice grouped by what to do, the costliest first
 * @param all the carrier time that is freed if all of it is done
 * @param withoutLaterJava the part of it that is freed on the Java of the recording: a later one
 *     frees all monitors
 * @param fixes the known fixes of libraries
 */
public record Advice(
    List<Advised> advised,
    List<AdviceEntry> entries,
    Freed all,
    Freed withoutLaterJava,
    KnownFixes fixes) {
  public Advice {
    advised = List.copyOf(advised);
    entries = List.copyOf(entries);
  }

  public Advised of(Pin finding) {
    return advised.stream()
        .filter(each -> each.finding().equals(finding))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no finding of these: " + finding.title()));
  }

  /** Returns the entries that cost enough to need a change. */
  public List<AdviceEntry> main() {
    return entries.stream().filter(entry -> !entry.isMinor()).toList();
  }

  /** Returns the other entries: short pins that cost next to nothing together. */
  public List<AdviceEntry> minor() {
    return entries.stream().filter(AdviceEntry::isMinor).toList();
  }
}
