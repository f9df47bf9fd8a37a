package io.github.vtdiag.report;

import io.github.vtdiag.fleet.FleetVerdict;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.Document.Outcome;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Phrase.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The document with the gate verdict for a fleet. */
final class FleetGateDocument {
  private FleetGateDocument() {}

  static Document of(FleetVerdict verdict) {
    long kept = verdict.groups().stream().filter(of -> of.kind() == FleetVerdict.Kind.PASS).count();
    List<Item> items = new ArrayList<>();
    for (FleetVerdict.Group group : verdict.groups()) {
      if (group.kind() != FleetVerdict.Kind.PASS || !group.warnings().isEmpty()) {
        items.add(item(group));
      }
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Block.Outcomes(
            List.of(
                new Outcome(
                    tone(verdict.kind()),
                    word(verdict.kind()),
                    "%d of %s keep the policy"
                        .formatted(kept, Figures.count(verdict.groups().size(), "group")))),
            List.of()));
    if (!items.isEmpty()) {
      blocks.add(new Block.Items(List.of(), items));
    }
    return new Document("Virtual threads of a fleet: the gate", blocks);
  }

  private static Item item(FleetVerdict.Group group) {
    List<Phrase> details = new ArrayList<>();
    group.broken().forEach(line -> details.add(Phrase.of(line)));
    group.unproven().stream().limit(Report.MOST).forEach(line -> details.add(Phrase.of(line)));
    group.warnings().stream()
        .limit(Report.MOST)
        .forEach(line -> details.add(Phrase.of(Tone.WARNING, "warning:").and(" " + line)));
    if (!group.shownBy().isEmpty()) {
      details.add(Phrase.of("shown by " + String.join(", ", group.shownBy())));
    }
    return new Item(
        Phrase.of(tone(group.kind()), word(group.kind()))
            .and(" ")
            .and(Tone.NAME, group.name())
            .and(" (" + Figures.count(group.recordings(), "recording") + ")"),
        List.of(),
        details,
        Optional.empty());
  }

  private static String word(FleetVerdict.Kind kind) {
    return switch (kind) {
      case PASS -> "PASS";
      case FAIL -> "FAIL";
      case NO_DATA -> "NO_DATA";
    };
  }

  private static Tone tone(FleetVerdict.Kind kind) {
    return switch (kind) {
      case PASS -> Tone.GOOD;
      case FAIL -> Tone.BAD;
      case NO_DATA -> Tone.WARNING;
    };
  }
}
