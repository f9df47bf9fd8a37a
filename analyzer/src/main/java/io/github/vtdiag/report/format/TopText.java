package io.github.vtdiag.report.format;

import static io.github.vtdiag.report.words.Phrase.Tone.BAD;
import static io.github.vtdiag.report.words.Phrase.Tone.FAINT;
import static io.github.vtdiag.report.words.Phrase.Tone.FIGURE;
import static io.github.vtdiag.report.words.Phrase.Tone.GOOD;
import static io.github.vtdiag.report.words.Phrase.Tone.NAME;
import static io.github.vtdiag.report.words.Phrase.Tone.PLAIN;
import static io.github.vtdiag.report.words.Phrase.Tone.STRONG;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.live.TopSample;
import io.github.vtdiag.live.TopSample.CarrierRow;
import io.github.vtdiag.live.TopSample.Carrying;
import io.github.vtdiag.live.TopSample.State;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.words.BehaviorWords;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Shows a running JVM on one screen. */
public final class TopText {
  private static final String HELP =
      """
      Keys
        q, Ctrl-C    quit            space, p     pause and go on
        s            sort carriers by number, time or CPU
        /, f         show only what contains a text; esc: everything
        up, down     more carriers   Ctrl-L       draw it again

      Carriers
        runs         carries a virtual thread and uses a processor
        blocked      carries the same one as a look before and uses none, or others
                     and hardly any while pins take the carriers' time
        carries      carries one; nothing more is known at the first look
        idle         carries none
        CPU          of one processor, since the look before
        FOR          ~3.0 s: it was there at every look since; without ~: it has not left
        WHERE        the innermost frame that is not the JDK's; ~: not known, but most of
                     the pinned time of the last seconds was there

      Any key goes back.
      """;

  private final TopSample moment;
  private final TopView view;
  private final List<Phrase> lines = new ArrayList<>();

  private TopText(TopSample moment, TopView view) {
    this.moment = moment;
    this.view = view;
  }

  /** Returns the lines of the screen; some may be wider than it is. */
  public static List<Phrase> lines(TopSample moment, TopView view) {
    TopText text = new TopText(moment, view);
    text.lines.addAll(TopHead.lines(moment, view));
    text.body();
    return text.lines;
  }

  /** Returns the lines as text for a pipe, or for a terminal that is not redrawn. */
  public static String text(TopSample moment, TopView view, Style style) {
    StringBuilder text = new StringBuilder();
    lines(moment, view).forEach(line -> text.append(styled(line, style)).append('\n'));
    return text.toString();
  }

  /** Returns what the keys do and what the columns mean. */
  public static List<Phrase> help() {
    return HELP.lines()
        .map(line -> line.startsWith(" ") ? Phrase.of(line) : Phrase.of(STRONG, line))
        .toList();
  }

  private static String styled(Phrase line, Style style) {
    return style.styled(line, Printable::text).stripTrailing();
  }

  private void body() {
    List<Phrase> carriers = carriers();
    List<Phrase> findings = findings();
    int room =
        view.height() == 0 ? Integer.MAX_VALUE : Math.max(2, view.height() - lines.size() - 4);
    int forFindings =
        Math.min(findings.size(), Math.max(room / 3, room - Math.min(room, carriers.size())));
    int forCarriers = Math.min(carriers.size(), room - forFindings);
    lines.add(Phrase.EMPTY);
    lines.add(
        Phrase.of(
            STRONG, carrier("CARRIER") + state("STATE") + rest("CPU", "FOR", "THREAD", "WHERE")));
    int first = Math.clamp(view.skipped(), 0, carriers.size() - forCarriers);
    lines.addAll(carriers.subList(first, first + forCarriers));
    int hidden = carriers.size() - forCarriers;
    lines.add(
        hidden == 0
            ? Phrase.EMPTY
            : Phrase.of(FAINT, Figures.count(hidden, "more carrier") + " (up, down)"));
    lines.add(
        Phrase.of(STRONG, "  TIME  SHARE  COUNT  WHAT HELD CARRIERS, OR WHAT THREADS WAITED FOR"));
    lines.addAll(findings.subList(0, forFindings));
  }

  private String noCarriers() {
    return moment.carriers().isEmpty()
        ? "No virtual thread was on a carrier at any look."
        : "No carrier matches the filter.";
  }

  private String noFindings() {
    return moment.recorded().findings().isEmpty()
        ? "Nothing is known yet."
        : view.filter().isEmpty()
            ? "Nothing was pinned for 1 ms or more, as far as it is over."
            : "No finding matches the filter.";
  }

  private List<Phrase> carriers() {
    List<Phrase> rows = carrierRows();
    return rows.isEmpty() ? List.of(Phrase.of(FAINT, noCarriers())) : rows;
  }

  private List<Phrase> carrierRows() {
    return moment.carriers().stream()
        .sorted(view.sort().order())
        .map(this::carrier)
        .filter(this::matches)
        .toList();
  }

  private boolean matches(Phrase line) {
    return line.text().toLowerCase(Locale.ROOT).contains(view.filter().toLowerCase(Locale.ROOT));
  }

  private Phrase carrier(CarrierRow row) {
    String state =
        switch (row.state()) {
          case IDLE -> "idle";
          case CARRIES -> "carries";
          case RUNS -> "runs";
          case BLOCKED -> "blocked";
        };
    Phrase.Tone tone =
        switch (row.state()) {
          case IDLE -> FAINT;
          case CARRIES -> PLAIN;
          case RUNS -> GOOD;
          case BLOCKED -> BAD;
        };
    String busy = row.busy().isPresent() ? percent(row.busy().getAsDouble()) : "";
    String time = row.carrying().map(TopText::time).orElse("");
    String thread =
        row.carrying()
            .map(carrying -> carrying.thread() == row.id() ? "none" : thread(carrying))
            .orElse("");
    String where =
        row.carrying()
            .flatMap(Carrying::where)
            .map(TopText::place)
            .orElseGet(() -> row.state() == State.BLOCKED ? likely() : "");
    String name = row.name().substring(row.name().lastIndexOf("-worker-") + 1);
    return Phrase.of(carrier(name))
        .and(tone, state(state))
        .and(NAME, rest(busy, time, thread, where));
  }

  /** Returns the place of most of the pinned time; empty if there is no single one. */
  private String likely() {
    return moment
        .recorded()
        .findings()
        .filter(findings -> !findings.pins().isEmpty())
        .filter(findings -> 2 * findings.pins().getFirst().total() > findings.cost().totalNanos())
        .flatMap(findings -> findings.pins().getFirst().place())
        .map(frame -> "~" + place(frame))
        .orElse("");
  }

  private static String percent(double share) {
    return Math.round(share * 100) + "%";
  }

  private static String time(Carrying carrying) {
    return carrying.nanos() == 0
        ? ""
        : (carrying.exact() ? "" : "~") + Figures.duration(carrying.nanos());
  }

  private static String thread(Carrying carrying) {
    return "#" + carrying.thread() + (carrying.name().isEmpty() ? "" : " " + carrying.name());
  }

  private static String place(Frame frame) {
    return frame.type().simpleName()
        + "."
        + frame.method()
        + (frame.line() < 0 ? "" : ":" + frame.line());
  }

  private String carrier(String name) {
    return view.isNarrow() ? cell(name, 9) + " " : cell(name, 11);
  }

  private String state(String state) {
    return cell(state, view.isNarrow() ? 7 : 9);
  }

  /** Returns the columns after the state; a narrow line has fewer. */
  private String rest(String busy, String time, String thread, String where) {
    if (view.isNarrow()) {
      return " " + right(time, 7) + "  " + (where.isEmpty() ? thread : where);
    }
    int threads = Math.clamp((view.width() - 50L) / 2, 12, 30);
    return right(busy, 4)
        + "  "
        + right(time, 8)
        + "  "
        + cell(thread, threads)
        + "  "
        + Printable.text(where);
  }

  private static String cell(String text, int width) {
    String safe = Printable.text(text);
    return safe.length() > width
        ? safe.substring(0, width)
        : safe + " ".repeat(width - safe.length());
  }

  private static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  private List<Phrase> findings() {
    List<Phrase> rows = findingRows();
    return rows.isEmpty() ? List.of(Phrase.of(FAINT, noFindings())) : rows;
  }

  private List<Phrase> findingRows() {
    Optional<Findings> findings = moment.recorded().findings();
    return Stream.concat(
            findings.map(Findings::pins).orElse(List.of()).stream().map(this::finding),
            findings.map(Findings::behaviors).orElse(List.of()).stream()
                .filter(finding -> finding.seen().limits())
                .map(this::behavior))
        .filter(this::matches)
        .flatMap(this::wrapped)
        .toList();
  }

  /** Returns a row in lines of the screen's width: the words go on below the ones before. */
  private Stream<Phrase> wrapped(Phrase row) {
    String figures = row.parts().getFirst().text();
    if (view.isNarrow() || row.text().length() <= view.width()) {
      return Stream.of(row);
    }
    String words = Printable.text(row.text().substring(figures.length()));
    List<String> all =
        new Style(false, view.width()).line(figures.length(), words).lines().toList();
    return Stream.concat(
        Stream.of(Phrase.of(FIGURE, figures).and(NAME, all.getFirst().substring(figures.length()))),
        all.stream().skip(1).map(more -> Phrase.of(NAME, more)));
  }

  private Phrase behavior(Behavior finding) {
    Observation seen = finding.seen();
    Observation.Amount amount = seen.amount();
    String time =
        switch (amount.unit()) {
          case THREAD_NANOS, CARRIER_NANOS, NANOS -> Figures.duration((long) amount.value());
          case BYTES, COUNT -> "";
        };
    return Phrase.of(
            FIGURE,
            right(time, 6)
                + "  "
                + right("", 5)
                + "  "
                + right(Figures.count(seen.count()), 5)
                + "  ")
        .and(finding.kind().title() + ": ")
        .and(NAME, seen.subject())
        .and(seen.atOnce().map(each -> ", " + BehaviorWords.atOnce(each)).orElse(""))
        .and(seen.site().map(site -> ", from " + place(site)).orElse(""));
  }

  private Phrase finding(Pin finding) {
    String share =
        finding.shareOfCapacity().isPresent()
            ? Figures.percent(finding.shareOfCapacity().getAsDouble())
            : "";
    return Phrase.of(
            FIGURE,
            right(Figures.duration(finding.total()), 6)
                + "  "
                + right(share, 5)
                + "  "
                + right(Figures.count(finding.count()), 5)
                + "  ")
        .and(NAME, Words.title(finding))
        .and(", " + finding.cause().text() + waits(finding));
  }

  private static String waits(Pin finding) {
    return finding.operations().isEmpty()
        ? ""
        : "; waits in " + finding.operations().getFirst().operation().text();
  }
}
