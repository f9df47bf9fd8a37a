package io.github.vtdiag.report;

import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.SpeedVerdict;
import io.github.vtdiag.report.words.ComparisonWords;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Phrase.Tone;
import java.util.ArrayList;
import java.util.List;

/** The document of a comparison: the outcomes first, then the figures, then notes. */
final class ComparisonDocument {
  private ComparisonDocument() {}

  static Document of(Comparison comparison) {
    List<Document.Outcome> outcomes =
        comparison.measures().stream()
            .map(
                measure ->
                    new Document.Outcome(
                        tone(measure.verdict()),
                        ComparisonWords.verdict(measure.verdict()),
                        ComparisonWords.reason(comparison, measure)))
            .toList();
    List<Phrase> lines = new ArrayList<>();
    ComparisonWords.overall(comparison).map(Phrase::of).ifPresent(lines::add);
    String changes = String.join(" ", comparison.plan().changes());
    lines.add(Phrase.of("change: ").and(Tone.NAME, changes));
    lines.add(Phrase.of("measured: " + ComparisonWords.how(comparison)));
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Outcomes(outcomes, lines));
    blocks.add(ComparisonTable.of(comparison));
    List<Phrase> notes = ComparisonWords.notes(comparison).stream().map(Phrase::of).toList();
    if (!notes.isEmpty()) {
      blocks.add(new Block.Notes(notes));
    }
    return new Document("Comparison", blocks);
  }

  static Tone tone(SpeedVerdict verdict) {
    return switch (verdict) {
      case FASTER -> Tone.GOOD;
      case SLOWER -> Tone.BAD;
      case NO_DIFFERENCE -> Tone.STRONG;
      case NOT_ENOUGH_EVIDENCE -> Tone.WARNING;
    };
  }
}
