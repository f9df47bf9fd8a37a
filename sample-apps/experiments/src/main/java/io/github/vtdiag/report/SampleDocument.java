package io.github.vtdiag.report;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.compare.Ratio;
import io.github.vtdiag.experiment.Machine;
import io.github.vtdiag.experiment.Outcome;
import io.github.vtdiag.experiment.Outcome.Figure;
import io.github.vtdiag.experiment.Outcome.Row;
import io.github.vtdiag.experiment.Outcome.Table;
import io.github.vtdiag.experiment.Outcome.Unit;
import io.github.vtdiag.experiment.Outcome.Versus;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.words.ComparisonFigures;
import io.github.vtdiag.report.words.ComparisonWords;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Heading;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.Document.Section;
import io.github.vtdiag.report.words.EntryWords;
import io.github.vtdiag.report.words.FindingWords;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Phrase.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/** An experiment in words: what went wrong, the tables, the pairs, what held the carriers. */
public final class SampleDocument {
  private static final String PUBLISHED = "published";

  private SampleDocument() {}

  public static Document of(Sampled sampled) {
    Outcome outcome = sampled.outcome();
    List<Block> blocks = new ArrayList<>();
    if (!outcome.problems().isEmpty()) {
      blocks.add(
          new Block.Outcomes(
              outcome.problems().stream()
                  .map(problem -> new Document.Outcome(Tone.BAD, "WRONG", problem))
                  .toList(),
              List.of()));
    }
    List<Phrase> subjects = new ArrayList<>();
    subjects.add(
        Phrase.of(Tone.STRONG, sampled.experiment().name())
            .and("  on " + machine(sampled.machine())));
    if (isAnyPublished(outcome)) {
      subjects.add(Phrase.of(Tone.FAINT, "published: " + sampled.experiment().publishedOn()));
    }
    blocks.add(new Block.Subjects(subjects));
    for (Table table : outcome.tables()) {
      blocks.add(new Block.Sentences(List.of(Phrase.of(Tone.STRONG, table.title()))));
      blocks.add(table(table));
    }
    if (!outcome.versus().isEmpty()) {
      blocks.add(
          new Block.Outcomes(
              outcome.versus().stream().map(SampleDocument::versus).toList(), List.of()));
    }
    if (!sampled.diagnosed().isEmpty()) {
      blocks.add(
          new Block.Items(
              List.of(), sampled.diagnosed().stream().map(SampleDocument::item).toList()));
    }
    if (!outcome.notes().isEmpty()) {
      blocks.add(new Block.Notes(outcome.notes().stream().map(Phrase::of).toList()));
    }
    if (!sampled.next().isEmpty()) {
      blocks.add(new Block.Commands(sampled.next()));
    }
    return new Document("Experiment: " + sampled.experiment().name(), blocks);
  }

  private static boolean isAnyPublished(Outcome outcome) {
    return outcome.tables().stream()
        .flatMap(table -> table.rows().stream())
        .flatMap(row -> row.figures().stream())
        .anyMatch(figure -> figure.published().isPresent());
  }

  private static String machine(Machine machine) {
    return Figures.count(machine.processors(), "processor")
        + (machine.processor().isEmpty() ? "" : " (" + machine.processor() + ")")
        + (machine.memoryBytes().isPresent()
            ? ", " + Figures.count(machine.memoryBytes().getAsLong() >> 20) + " MB"
            : "")
        + ", "
        + machine.system()
        + ", Java "
        + (machine.java().isEmpty() ? "of an unknown version" : machine.java())
        + ", "
        + machine.day();
  }

  private static Block.Table table(Table table) {
    Map<String, Boolean> columns = new LinkedHashMap<>();
    for (Row row : table.rows()) {
      row.figures()
          .forEach(
              figure ->
                  columns.merge(figure.name(), figure.published().isPresent(), Boolean::logicalOr));
    }
    List<Heading> headings = new ArrayList<>();
    headings.add(new Heading("", false));
    columns.forEach(
        (name, isPublished) -> {
          headings.add(new Heading(name, true));
          if (isPublished) {
            headings.add(new Heading(PUBLISHED, true));
          }
        });
    return new Block.Table(
        headings,
        List.of(new Section("", table.rows().stream().map(row -> cells(row, columns)).toList())));
  }

  private static List<String> cells(Row row, Map<String, Boolean> columns) {
    List<String> cells = new ArrayList<>();
    cells.add(row.label());
    columns.forEach(
        (name, isPublished) -> {
          Optional<Figure> found =
              row.figures().stream().filter(figure -> figure.name().equals(name)).findFirst();
          cells.add(cell(found, figure -> OptionalDouble.of(figure.value())));
          if (isPublished) {
            cells.add(cell(found, Figure::published));
          }
        });
    return cells;
  }

  private static String cell(Optional<Figure> figure, Function<Figure, OptionalDouble> value) {
    return figure
        .filter(found -> value.apply(found).isPresent())
        .map(found -> text(found.unit(), value.apply(found).getAsDouble()))
        .orElse("");
  }

  static String text(Unit unit, double value) {
    return switch (unit) {
      case COUNT -> Figures.count(Math.round(value));
      case MILLIS ->
          (value < 10 ? ComparisonFigures.digits(value) : Figures.count(Math.round(value))) + " ms";
      case PER_SECOND -> ComparisonFigures.perSecond(value);
      case BYTES -> Figures.count(Math.round(value / (1 << 20))) + " MB";
      case TIMES -> ComparisonFigures.digits(value) + "x";
      case PERCENT -> Figures.percent(value);
    };
  }

  private static Document.Outcome versus(Versus versus) {
    Ratio ratio = versus.throughput().ratio();
    return new Document.Outcome(
        ComparisonDocument.tone(versus.verdict()),
        ComparisonWords.verdict(versus.verdict()),
        "%s: %s times as many a second with %s as with %s, 95%% interval %s over %s"
            .formatted(
                versus.label(),
                ratio.estimate().isPresent()
                    ? ComparisonFigures.digits(ratio.estimate().getAsDouble())
                    : ComparisonFigures.UNKNOWN,
                versus.after(),
                versus.before(),
                ComparisonFigures.interval(ratio),
                Figures.count(versus.pairs(), "pair")));
  }

  private static Item item(Diagnosed diagnosed) {
    List<Phrase> details = new ArrayList<>(verdict(diagnosed).toList());
    first(diagnosed)
        .ifPresent(
            entry -> {
              details.add(
                  EntryWords.title(entry)
                      .and(
                          "  "
                              + Figures.duration(entry.total())
                              + " in "
                              + Figures.count(entry.count(), "pin")));
              details.add(Phrase.of(cause(entry)));
            });
    return new Item(Phrase.of(diagnosed.label()), List.of(), details, Optional.empty());
  }

  /** Returns the first entry of the list in the report of {@code vtdiag analyze}. */
  public static Optional<AdviceEntry> first(Diagnosed diagnosed) {
    return diagnosed.advice().main().stream().findFirst();
  }

  public static String cause(AdviceEntry entry) {
    return FindingWords.cause(entry.first().finding());
  }

  /** Returns the beginning of the report of {@code vtdiag analyze}. */
  public static Stream<Phrase> verdict(Diagnosed diagnosed) {
    ReportEntries entries = new ReportEntries(diagnosed.findings(), diagnosed.advice());
    return new Headline(diagnosed.findings(), diagnosed.advice(), entries)
        .lines().stream().limit(1);
  }
}
