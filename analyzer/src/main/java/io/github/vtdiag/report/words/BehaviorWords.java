package io.github.vtdiag.report.words;

import static io.github.vtdiag.report.words.Phrase.Tone.NAME;
import static io.github.vtdiag.report.words.Phrase.Tone.STRONG;

import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Observation.Amount;
import io.github.vtdiag.analysis.Observation.AtOnce;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.verdict.Conclusion;
import io.github.vtdiag.verdict.Culprit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Waits and misuse in words. What applies to one kind only is said by that kind. */
public final class BehaviorWords {
  private BehaviorWords() {}

  public static Item item(Behavior finding) {
    Observation seen = finding.seen();
    Optional<Phrase> sentence = finding.kind().sentence(seen).map(Phrase::of);
    List<String> lines = new ArrayList<>(sentence.isPresent() ? List.of() : cost(seen));
    lines.addAll(finding.kind().evidence(seen));
    return new Item(
        sentence.orElseGet(
            () -> Phrase.of(STRONG, finding.kind().title() + ": ").and(NAME, seen.subject())),
        List.of(),
        lines.stream().map(Phrase::of).toList(),
        Optional.of(Phrase.of(finding.advice())));
  }

  /** Returns the cost, and the place. */
  private static List<String> cost(Observation seen) {
    List<String> lines = new ArrayList<>();
    lines.add(
        (seen.amount().estimated() ? "about " : "")
            + amount(seen.amount())
            + seen.atOnce().map(atOnce -> "  " + atOnce(atOnce) + " on average").orElse(""));
    Optional<String> site = seen.site().map(Frame::qualifiedMethod);
    seen.site().map(frame -> "from " + place(frame)).ifPresent(lines::add);
    seen.inside()
        .filter(inside -> !site.equals(Optional.of(inside.qualifiedMethod())))
        .map(inside -> "in " + place(inside) + "  " + seen.owner().text())
        .ifPresent(lines::add);
    return lines;
  }

  private static String place(Frame frame) {
    return frame.type().name()
        + "."
        + frame.method()
        + (frame.line() < 0 ? "" : " (" + Figures.position(frame.type(), frame.line()) + ")");
  }

  /** Returns {@code 490 virtual threads (98% of them)}. */
  public static String atOnce(AtOnce atOnce) {
    return Figures.mean(atOnce.mean())
        + " virtual threads"
        + (atOnce.share() >= 0 ? " (" + Figures.percent(atOnce.share()) + " of all)" : "");
  }

  /** Returns what keeps the consumers of a full queue, or the users of a pool, before its name. */
  static String cause(Conclusion conclusion, Findings findings) {
    if (conclusion.culprit().isEmpty()) {
      return "";
    }
    Culprit culprit = conclusion.culprit().get();
    if (conclusion.kind() == Bottleneck.POOL) {
      return "Threads that have most of a pool's objects wait for "
          + culprit.finding().kind().culprit(culprit.finding())
          + ", so ";
    }
    return "Threads were pinned at "
        + Words.title(culprit.finding())
        + " for "
        + Figures.percent(culprit.partOfThreads(findings))
        + " of the time, probably the consumers of a full queue: ";
  }

  private static String amount(Amount amount) {
    return switch (amount.unit()) {
      case THREAD_NANOS -> Figures.duration((long) amount.value()) + " of thread time";
      case CARRIER_NANOS -> Figures.duration((long) amount.value()) + " of carrier time";
      case NANOS -> Figures.duration((long) amount.value());
      case BYTES -> Figures.bytes(amount.value());
      case COUNT -> Figures.count((long) amount.value(), "thread");
    };
  }
}
