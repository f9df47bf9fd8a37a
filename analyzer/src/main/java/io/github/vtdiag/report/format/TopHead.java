package io.github.vtdiag.report.format;

import static io.github.vtdiag.report.words.Phrase.Tone.BAD;
import static io.github.vtdiag.report.words.Phrase.Tone.FAINT;
import static io.github.vtdiag.report.words.Phrase.Tone.FIGURE;
import static io.github.vtdiag.report.words.Phrase.Tone.PLAIN;
import static io.github.vtdiag.report.words.Phrase.Tone.STRONG;
import static io.github.vtdiag.report.words.Phrase.Tone.WARNING;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.live.TargetJvm;
import io.github.vtdiag.live.TopSample;
import io.github.vtdiag.live.TopSample.Seen;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.words.AccountWords;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.verdict.Conclusion;
import io.github.vtdiag.verdict.Conclusions;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The first lines on a running JVM: its name, the carriers' time, the queue. */
final class TopHead {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final String PLAIN_BARS = "_.-:=+*#";
  private static final int MOST_BARS = 40;
  private static final int MOST_HANGS = 3;

  /** The part below which a use of carriers is left out. */
  private static final double LITTLE = 0.005;

  /**
   * The difference that counts; the samples and the recording begin and end at different moments.
   */
  private static final double POINT = 0.01;

  /** The uses of carriers, what blocks carriers first. */
  private static final List<Use> ORDER =
      List.of(Use.PINNED, Use.BLOCKED, Use.FILE, Use.NATIVE, Use.JAVA, Use.IDLE, Use.UNKNOWN);

  private final TopSample moment;
  private final TopView view;
  private final List<Phrase> lines = new ArrayList<>();

  private TopHead(TopSample moment, TopView view) {
    this.moment = moment;
    this.view = view;
  }

  static List<Phrase> lines(TopSample moment, TopView view) {
    TopHead head = new TopHead(moment, view);
    head.title();
    head.account();
    head.queue();
    head.hangs();
    head.verdict();
    return head.lines;
  }

  private void title() {
    TargetJvm target = moment.target();
    String carriers =
        moment.parallelism().isPresent()
            ? "  " + Figures.count(moment.parallelism().getAsInt(), "carrier")
            : "";
    Phrase title = Phrase.of(STRONG, target.pid() + " " + target.program());
    lines.add(
        view.isNarrow()
            ? title
            : title
                .and("  Java " + target.version() + carriers)
                .and(FAINT, "  " + TIME.format(Instant.ofEpochMilli(moment.atMillis()))));
  }

  private void account() {
    Optional<Account> account = moment.recorded().findings().map(Findings::account);
    Phrase line =
        view.isNarrow()
            ? Phrase.EMPTY
            : Phrase.of(
                moment.recorded().nanos() == 0
                    ? "Carriers: "
                    : "Carriers, last "
                        + Figures.duration(seconds(moment.recorded().nanos()))
                        + ": ");
    List<Phrase> parts =
        account.filter(Account::isIdleKnown).isPresent()
            ? watched(account.get())
            : unwatched(account);
    if (parts.isEmpty()) {
      lines.add(Phrase.of(FAINT, "Carriers: not known yet"));
      return;
    }
    for (int i = 0; i < parts.size(); i++) {
      String text = parts.get(i).text();
      boolean last = i == parts.size() - 1;
      int length = line.text().length() + (i == 0 ? 0 : 2) + text.length() + (last ? 0 : 1);
      if (i > 0 && length > view.width()) {
        lines.add(line.and(","));
        line = Phrase.of("  ");
      } else {
        line = line.and(i == 0 ? "" : ", ");
      }
      for (Phrase.Part part : parts.get(i).parts()) {
        line = line.and(part.tone(), part.text());
      }
    }
    lines.add(line);
  }

  /** Returns the uses of carriers from the agent's watch. */
  private static List<Phrase> watched(Account account) {
    List<Phrase> parts = new ArrayList<>();
    for (Use use : ORDER) {
      double part = account.part(use);
      if (part >= LITTLE) {
        parts.add(part(use.text(), use == Use.PINNED ? BAD : PLAIN, part));
      }
    }
    return parts;
  }

  /**
   * Returns the uses of carriers without the watch: pins from the recording, running threads from
   * the operating system. A wait in native code that ends before the next sample looks like an idle
   * carrier.
   */
  private List<Phrase> unwatched(Optional<Account> account) {
    double pinned = account.map(each -> each.part(Use.PINNED)).orElse(0.0);
    if (moment.seen().isEmpty()) {
      return pinned < LITTLE ? List.of() : List.of(part("pinned", BAD, pinned));
    }
    Seen seen = moment.seen().get();
    List<Phrase> parts = new ArrayList<>();
    double kept = Math.max(pinned, seen.blocked());
    if (kept >= LITTLE) {
      // The pins of threads that have not continued have not ended yet.
      parts.add(part(seen.blocked() > pinned + POINT ? "blocked" : "pinned", BAD, kept));
    }
    double runs = Math.min(1 - kept, seen.processor() + seen.ready());
    Phrase running = part("running", PLAIN, runs);
    parts.add(
        seen.ready() < 0.05
            ? running
            : running.and(WARNING, " (" + Figures.percent(seen.ready()) + " without a processor)"));
    double rest = Math.max(0, 1 - kept - runs);
    if (rest >= LITTLE) {
      parts.add(part("idle or not known", PLAIN, rest));
    }
    return parts;
  }

  private static Phrase part(String name, Phrase.Tone tone, double part) {
    return Phrase.of(name + " ").and(tone, Figures.percent(Math.round(part * 1000) / 1000.0));
  }

  /** Rounds a second or more to whole seconds: it is no measurement. */
  private static long seconds(long nanos) {
    return nanos < 1_000_000_000 ? nanos : (nanos + 500_000_000) / 1_000_000_000 * 1_000_000_000;
  }

  private void queue() {
    OptionalLong now = moment.queued();
    if (now.isEmpty()) {
      lines.add(
          Phrase.of("Queue: ")
              .and(
                  FAINT,
                  moment.target().feature() < 24 && !moment.recorded().agent()
                      ? "not known on Java " + moment.target().feature() + " without vtdiag's agent"
                      : "not known"));
      return;
    }
    long most = moment.queue().stream().mapToLong(each -> each.orElse(0)).max().orElse(0);
    Phrase line =
        Phrase.of("Queue: ")
            .and(now.getAsLong() > 0 ? WARNING : PLAIN, Figures.count(now.getAsLong()))
            .and(
                now.getAsLong() == 1
                    ? " thread waits for a carrier"
                    : " threads wait for a carrier");
    String rest = "  most " + Figures.count(most);
    int bars = Math.min(MOST_BARS, view.width() - line.text().length() - rest.length() - 2);
    lines.add(
        view.isNarrow() || bars < 5
            ? line
            : line.and("  ").and(FIGURE, sparkline(bars, most)).and(FAINT, rest));
  }

  private String sparkline(int bars, long most) {
    String levels = view.unicode() ? BARS : PLAIN_BARS;
    List<OptionalLong> all = moment.queue();
    StringBuilder line = new StringBuilder();
    for (OptionalLong each : all.subList(Math.max(0, all.size() - bars), all.size())) {
      if (each.isEmpty()) {
        line.append(' ');
      } else {
        int top = levels.length() - 1;
        // Any queue is drawn higher than none.
        int level =
            each.getAsLong() == 0
                ? 0
                : Math.clamp((long) Math.ceil((double) each.getAsLong() * top / most), 1, top);
        line.append(levels.charAt(level));
      }
    }
    return line.toString();
  }

  /** Adds the hangs that vtdiag's agent in that JVM reports. */
  private void hangs() {
    List<ToldHang> hangs = moment.hangs();
    for (ToldHang hang : hangs.subList(0, Math.min(MOST_HANGS, hangs.size()))) {
      wrapped(
          hang.isCertain() ? BAD : WARNING,
          hang.title().toUpperCase(Locale.ROOT) + ": " + hang.statement());
    }
    if (hangs.size() > MOST_HANGS) {
      wrapped(
          FAINT,
          hangs.size()
              - MOST_HANGS
              + " more that do not end; vtdiag hang "
              + moment.target().pid()
              + " has all");
    }
  }

  /** Adds the bottleneck, if it is known: idle carriers are no good sign beside a hang. */
  private void verdict() {
    moment
        .recorded()
        .findings()
        .ifPresent(
            findings -> {
              Conclusion conclusion = Conclusions.of(findings);
              if (conclusion.kind() != Bottleneck.NOT_KNOWN
                  && (conclusion.carriers() || moment.hangs().isEmpty())) {
                wrapped(AccountWords.tone(conclusion), AccountWords.verdict(conclusion, findings));
              }
            });
    if (!moment.recorded().problem().isEmpty()) {
      wrapped(WARNING, moment.recorded().problem());
    }
  }

  private void wrapped(Phrase.Tone tone, String sentence) {
    new Style(false, view.width())
        .line(0, Printable.text(sentence))
        .lines()
        .forEach(line -> lines.add(Phrase.of(tone, line)));
  }
}
