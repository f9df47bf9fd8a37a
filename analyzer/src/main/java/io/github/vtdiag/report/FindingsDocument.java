package io.github.vtdiag.report;

import static io.github.vtdiag.report.words.Phrase.Tone.FAINT;
import static io.github.vtdiag.report.words.Phrase.Tone.STRONG;
import static io.github.vtdiag.report.words.Phrase.Tone.WARNING;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Findings.Capacity;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Gap.Threshold;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.words.Addresses;
import io.github.vtdiag.report.words.AdviceWords;
import io.github.vtdiag.report.words.BehaviorWords;
import io.github.vtdiag.report.words.CallbackWords;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Column;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.EntryWords;
import io.github.vtdiag.report.words.FindingWords;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Words;
import io.github.vtdiag.verdict.Conclusion;
import io.github.vtdiag.verdict.Conclusions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The document with the findings: the verdict first, then the evidence, then what is unknown. */
public final class FindingsDocument {
  private static final List<Column> COLUMNS =
      List.of(new Column("Carrier time", 9), new Column("Share", 5), new Column("Pins", 0));

  /** The part of the pinned time below which an entry gets fewer lines. */
  private static final double SMALL = 0.1;

  private final Findings findings;
  private final Advice advice;
  private final Detail detail;
  private final Optional<Addresses> addresses;
  private final ReportEntries entries;
  private final List<Block> blocks = new ArrayList<>();
  private final List<Phrase> notes = new ArrayList<>();

  FindingsDocument(Findings findings, Advice advice, Detail detail) {
    this(findings, advice, detail, Optional.empty());
  }

  /**
   * @param addresses the addresses to add to each finding; empty for readers who have the recording
   */
  FindingsDocument(Findings findings, Advice advice, Detail detail, Optional<Addresses> addresses) {
    this.findings = findings;
    this.advice = advice;
    entries = new ReportEntries(findings, advice);
    this.detail = detail;
    this.addresses = addresses;
  }

  /**
   * Returns the report.
   *
   * @param next commands for the next steps
   */
  Document document(List<String> next) {
    blocks.add(subjects(findings));
    blocks.add(new Block.Sentences(new Headline(findings, advice, entries).lines()));
    entries();
    gaps();
    if (!next.isEmpty()) {
      blocks.add(new Block.Commands(next));
    }
    return new Document("Pinned virtual threads", blocks);
  }

  /** Returns each recording in one line. */
  static Block subjects(Findings findings) {
    return new Block.Subjects(
        findings.recordings().stream().map(FindingsDocument::recording).toList());
  }

  static Phrase recording(RecordingFacts facts) {
    return Phrase.of(STRONG, facts.source())
        .and(
            "  "
                + Figures.duration(facts.durationNanos())
                + " on "
                + java(facts)
                + carriers(facts.parallelism()));
  }

  private static String java(RecordingFacts facts) {
    String version = facts.jdkVersion();
    int build = version.indexOf('+');
    return version.isEmpty()
        ? "an unknown Java"
        : "Java " + (build < 0 ? version : version.substring(0, build));
  }

  private static String carriers(OptionalInt parallelism) {
    return parallelism.isEmpty() ? "" : ", " + Figures.count(parallelism.getAsInt(), "carrier");
  }

  private void entries() {
    ReportList list = new ReportList(entries, findings, advice, detail);
    List<Item> items =
        list.items(
            entry -> item(entry).and(addresses.map(each -> each.of(entry))),
            finding -> BehaviorWords.item(finding).and(addresses.map(each -> each.of(finding))));
    if (!items.isEmpty()) {
      blocks.add(new Block.Items(COLUMNS, detail == Detail.BRIEF ? once(items) : items));
    }
    notes.addAll(list.rest());
    notes.addAll(EntryWords.minor(advice.minor(), detail));
  }

  /** Returns the items, with what several are advised to do in the first of them only. */
  private static List<Item> once(List<Item> items) {
    Map<Phrase, Integer> first = new HashMap<>();
    List<Item> all = new ArrayList<>();
    for (Item item : items) {
      int number = all.size() + 1;
      Optional<Integer> known = item.toDo().map(toDo -> first.putIfAbsent(toDo, number));
      all.add(known.map(as -> item.advised(Phrase.of("the same as for " + as + "."))).orElse(item));
    }
    return all;
  }

  Item item(AdviceEntry entry) {
    return new Item(
        EntryWords.title(entry),
        List.of(
            Figures.duration(entry.total()),
            Figures.percent((double) entry.total() / findings.cost().totalNanos()),
            Figures.count(entry.count(), "pin")),
        details(entry),
        Optional.of(Phrase.of(AdviceWords.summary(entry, findings))));
  }

  /** Returns whether an entry cost so little that fewer lines suffice. */
  static boolean isSmall(AdviceEntry entry, Findings findings) {
    return entry.total() < SMALL * findings.cost().totalNanos();
  }

  private List<Phrase> details(AdviceEntry entry) {
    List<Phrase> lines = new ArrayList<>();
    boolean several = entry.advised().size() > 1;
    if (entry.ofMany().isPresent()) {
      lines.addAll(EntryWords.findings("", entry, 0, detail));
      EntryWords.reachedFrom(entry, detail).ifPresent(lines::add);
      return lines;
    }
    Pin finding = entry.first().finding();
    lines.add(Phrase.of(FindingWords.cause(finding)));
    lines.add(Phrase.of(FindingWords.owner(finding) + FindingWords.place(finding)));
    EntryWords.reachedFrom(entry, detail).ifPresent(lines::add);
    CallbackWords.inside(finding).ifPresent(lines::add);
    lines.addAll(EntryWords.findings("and ", entry, 1, detail));
    if (detail == Detail.BRIEF && isSmall(entry, findings)) {
      return lines;
    }
    lines.add(Phrase.of(several ? cost(entry) : FindingWords.cost(finding)));
    lines.addAll(EntryWords.alsoHeld(finding, detail));
    finding
        .lockObjects()
        .filter(objects -> objects.shared() || detail == Detail.FULL)
        .ifPresent(objects -> lines.add(Phrase.of(FindingWords.lockObjects(objects))));
    if (!finding.confidence().isEmpty() && detail == Detail.FULL) {
      lines.add(Phrase.of(FAINT, "known from: " + FindingWords.confidence(finding)));
    }
    return lines;
  }

  /**
   * Returns the cost of an entry. There is no count of threads or percentile for several findings
   * together.
   */
  private String cost(AdviceEntry entry) {
    double capacity = findings.capacity().map(Capacity::nanos).orElse(0L);
    return "max "
        + Figures.duration(entry.longest())
        + (entry.total() <= capacity
            ? "  " + Figures.percent(entry.total() / capacity) + " of all carrier time"
            : "");
  }

  /** Returns what a recording left out as too short, each threshold once. */
  private static List<String> tooShort(List<Threshold> thresholds) {
    Map<Long, List<String>> byNanos = new LinkedHashMap<>();
    for (Threshold threshold : thresholds) {
      byNanos
          .computeIfAbsent(threshold.nanos(), nanos -> new ArrayList<>())
          .add(threshold.events());
    }
    return byNanos.entrySet().stream()
        .map(each -> new Threshold(Words.list(each.getValue()), each.getKey()).text())
        .toList();
  }

  private void gaps() {
    Conclusion conclusion = Conclusions.of(findings);
    boolean several = findings.recordings().size() > 1;
    List<String> unseen = new ArrayList<>();
    Map<String, List<Threshold>> thresholds =
        findings.gaps().stream()
            .filter(gap -> gap.threshold().isPresent())
            .collect(groupingBy(Gap::recording, mapping(gap -> gap.threshold().get(), toList())));
    for (Gap gap : findings.gaps()) {
      String subject = several && !gap.recording().isEmpty() ? gap.recording() + ": " : "";
      if (gap.kind().is(Gap.Trait.INCOMPLETE)) {
        notes.add(Phrase.of(WARNING, "Incomplete: ").and(subject + gap.text() + "."));
      } else if (gap.kind().is(Gap.Trait.STATEMENT)) {
        notes.add(Phrase.of(FAINT, subject + gap.text() + "."));
      } else if (gap.kind().is(Gap.Trait.STALL)) {
        if (!conclusion.says(gap)) {
          notes.add(Phrase.of(WARNING, subject + gap.stall()));
        }
      } else if (gap.threshold().isPresent()) {
        // All thresholds of a recording go where its first one is.
        Optional.ofNullable(thresholds.remove(gap.recording()))
            .map(FindingsDocument::tooShort)
            .ifPresent(texts -> texts.forEach(text -> unseen.add(subject + text)));
      } else {
        unseen.add(subject + gap.text());
      }
    }
    if (!unseen.isEmpty()) {
      String these = several ? "these recordings" : "this recording";
      notes.add(Phrase.of(FAINT, "Not in " + these + ": " + String.join("; ", unseen) + "."));
    }
    if (!notes.isEmpty()) {
      blocks.add(new Block.Notes(notes));
    }
  }
}
