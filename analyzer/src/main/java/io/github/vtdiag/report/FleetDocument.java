package io.github.vtdiag.report;

import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.fleet.FleetAnswers;
import io.github.vtdiag.fleet.FleetAnswers.Answer;
import io.github.vtdiag.fleet.Question;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Heading;
import io.github.vtdiag.report.words.Document.Section;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Phrase.Tone;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The document with a fleet's answers: the conclusion, then a table for each question. */
final class FleetDocument {
  /** Columns for programs: they identify a row, but mean nothing to a reader. */
  private static final Set<String> LEFT_OUT = Set.of("identity", "kind", "ambiguous");

  /** The most characters of an example that are shown; JSON has all. */
  private static final int EXAMPLE = 72;

  private static final BigInteger SECOND = BigInteger.valueOf(1_000_000_000);

  private FleetDocument() {}

  static Document of(FleetAnswers fleet) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Subjects(List.of(subject(fleet))));
    List<Phrase> conclusions = conclusions(fleet);
    if (!conclusions.isEmpty()) {
      blocks.add(new Block.Sentences(conclusions));
    }
    for (Question question : Question.values()) {
      if (question != Question.FLEET) {
        blocks.add(
            new Block.Sentences(List.of(Phrase.of(Tone.STRONG, question.title(fleet.by())))));
        Answer answer = fleet.answers().get(question);
        blocks.add(
            answer.rows().isEmpty()
                ? new Block.Sentences(List.of(Phrase.of(question.none())))
                : table(answer));
        int more = answer.rows().size() - Report.MOST;
        if (more > 0) {
          blocks.add(
              new Block.Notes(
                  List.of(
                      Phrase.of("and %s more; --json has all".formatted(Figures.count(more))))));
        }
      }
    }
    return new Document("Virtual threads of a fleet", blocks);
  }

  private static Phrase subject(FleetAnswers fleet) {
    Answer whole = fleet.answers().get(Question.FLEET);
    return Phrase.of(Tone.NAME, fleet.lake())
        .and(
            ": %s of %s in %s, %s recorded"
                .formatted(
                    Figures.count(number(whole, "recordings"), "recording"),
                    Figures.count(number(whole, "jvms"), "JVM"),
                    Figures.count(number(whole, "services"), "service"),
                    duration(whole, "recorded_nanos")))
        .and(fleet.since().isEmpty() ? "" : ", versions from " + fleet.since() + " on");
  }

  private static List<Phrase> conclusions(FleetAnswers fleet) {
    List<Phrase> lines = new ArrayList<>();
    Answer sites = fleet.answers().get(Question.SITES);
    if (!sites.rows().isEmpty()) {
      boolean explained = !text(sites, "kind").equals(PinKind.UNEXPLAINED.name());
      lines.add(
          Phrase.of(explained ? "The costliest site is " : "The costliest pins wait in ")
              .and(Tone.NAME, text(sites, "site"))
              .and(
                  (explained ? ": it held carriers for %s in %s." : ": %s in %s.")
                      .formatted(
                          duration(sites, "pinned_nanos"),
                          Figures.count(number(sites, "services"), "service"))));
    }
    Answer upgrades = fleet.answers().get(Question.UPGRADES);
    if (!upgrades.rows().isEmpty() && upgrades.value(0, "fixed_in") != null) {
      lines.add(
          Phrase.of("The upgrade that frees the most: ")
              .and(Tone.NAME, text(upgrades, "library"))
              .and(
                  " from %s to %s, at most %s."
                      .formatted(
                          text(upgrades, "version"),
                          text(upgrades, "fixed_in"),
                          duration(upgrades, "pinned_nanos"))));
    }
    Answer jdks = fleet.answers().get(Question.JDKS);
    long faulty = 0;
    for (int row = 0; row < jdks.rows().size(); row++) {
      if (!String.valueOf(jdks.value(row, "can_lose_threads")).isEmpty()) {
        faulty += ((Number) jdks.value(row, "jvms")).longValue();
      }
    }
    if (faulty > 0) {
      lines.add(
          Phrase.of(Tone.WARNING, "warning:")
              .and(
                  " %s on a JDK that can lose virtual threads; update it."
                      .formatted(Figures.count(faulty, "JVM") + (faulty == 1 ? " runs" : " run"))));
    }
    int hangs = fleet.answers().get(Question.HANGS).rows().size();
    if (hangs > 0) {
      lines.add(
          Phrase.of(Tone.BAD, Figures.count(hangs, "hang") + " seen, each counted once.").and(""));
    }
    return lines;
  }

  private static long number(Answer answer, String column) {
    return answer.value(0, column) instanceof Number number ? number.longValue() : 0;
  }

  private static String duration(Answer answer, String column) {
    return answer.value(0, column) instanceof Number nanos ? duration(nanos) : Figures.duration(0);
  }

  /** Returns a time that all recordings together can have, more than a long has nanoseconds. */
  private static String duration(Number nanos) {
    return nanos instanceof BigInteger many
        ? Figures.count(many.divide(SECOND).longValueExact()) + " s"
        : Figures.duration(nanos.longValue());
  }

  private static String text(Answer answer, String column) {
    Object value = answer.value(0, column);
    return value == null ? "unknown" : value.toString();
  }

  /** Returns an answer as a table, in the order of its rows. */
  static Block table(Answer answer) {
    List<Integer> shown = new ArrayList<>();
    List<Heading> headings = new ArrayList<>();
    for (int i = 0; i < answer.columns().size(); i++) {
      String column = answer.columns().get(i);
      if (!LEFT_OUT.contains(column)) {
        shown.add(i);
        int at = i;
        headings.add(
            new Heading(
                heading(column),
                answer.rows().stream().anyMatch(row -> row.get(at) instanceof Number)));
      }
    }
    List<List<String>> rows = new ArrayList<>();
    for (List<Object> row : answer.rows().subList(0, Math.min(Report.MOST, answer.rows().size()))) {
      rows.add(shown.stream().map(i -> cell(answer.columns().get(i), row.get(i))).toList());
    }
    return new Block.Table(headings, List.of(new Section("", rows)));
  }

  private static String heading(String column) {
    return column.replaceFirst("_(nanos|share)$", "").replace('_', ' ');
  }

  private static String cell(String column, Object value) {
    return switch (value) {
      case null -> "";
      case Number nanos when column.endsWith("_nanos") -> duration(nanos);
      case Number share when column.endsWith("_share") -> Figures.percent(share.doubleValue());
      case Double figure -> Figures.mean(figure);
      case Number count -> Figures.count(count.longValue());
      case String example when column.equals("for_example") && example.length() > EXAMPLE ->
          example.substring(0, EXAMPLE) + "...";
      default -> value.toString();
    };
  }
}
