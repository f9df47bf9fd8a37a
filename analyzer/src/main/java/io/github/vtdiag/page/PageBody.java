package io.github.vtdiag.page;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.ReportEntries;
import io.github.vtdiag.report.ReportParts;
import io.github.vtdiag.report.format.Html;
import io.github.vtdiag.report.format.HtmlDocument;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.Phrase;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Writes the parts of the page, from the verdict down to what the recording cannot show. */
final class PageBody {
  /** The number of worst entries on the first screen. */
  private static final int WORST = 3;

  private final Html html;
  private final HtmlDocument document;
  private final Figure figure;
  private final Page page;
  private final ReportParts parts;
  private final Findings findings;
  private final Anchors anchors;
  private final List<AdviceEntry> entries;

  PageBody(Html html, Page page, ReportParts parts) {
    this.html = html;
    document = new HtmlDocument(html);
    figure = new Figure(html);
    this.page = page;
    this.parts = parts;
    findings = page.findings();
    anchors = new Anchors(findings);
    entries = page.advice().main();
  }

  void write(Lengths lengths, OptionalLong threshold, ChartData data) {
    boolean pins = findings.cost().count() > 0;
    textures();
    html.leaf("a", "Skip to the verdict", "class", "skip", "href", "#verdict");
    boolean timeline =
        pins || data.timelines().stream().anyMatch(each -> !each.queueAt().isEmpty());
    boolean waiting = !data.waiting().names().isEmpty();
    head(pins, waiting, timeline);
    html.open("main", "id", "top");
    verdict();
    worst();
    if (entries.isEmpty()) {
      // Without entries, the bottleneck is among the waits and misuse.
      behaviors();
    }
    inFigures();
    if (pins) {
      flames(
          "pinned", "Pinned time", "Where pinned threads stood. What held the carrier is marked.");
    }
    if (waiting) {
      flames(
          "waiting",
          "Waiting time",
          "Where virtual threads waited that had left their carriers: nothing pinned them.");
    }
    if (timeline) {
      timeline(data);
    }
    if (pins) {
      section("lengths", "How long the pins were");
      figure.lengths(lengths, threshold);
      html.end();
      findings();
    }
    if (!entries.isEmpty()) {
      behaviors();
    }
    quality();
    html.end();
    document.footer("vtdiag" + page.version() + ". ");
  }

  /** Writes the textures over colours, so that colour is not the only distinction. */
  private void textures() {
    html.open("svg", "class", "textures", "aria-hidden", "true", "width", "0", "height", "0");
    html.open("defs");
    texture("stripes", "M-1 1l2-2M0 8l8-8M7 9l2-2");
    texture("steep", "M0 0l8 8M-1 7l2 2M7-1l2 2");
    texture("dots", "M2 1.5v1M6 5.5v1");
    texture("lines", "M0 2h8M0 6h8");
    texture("cross", "M0 4h8M4 0v8");
    html.close().end();
  }

  private void texture(String name, String path) {
    html.open("pattern", "id", name, "width", "8", "height", "8", "patternUnits", "userSpaceOnUse");
    html.leaf("path", "", "d", path).close();
  }

  private void head(boolean pins, boolean waiting, boolean timeline) {
    html.open("header");
    html.leaf("a", "vtdiag", "class", "brand", "href", "#top");
    html.open("nav", "aria-label", "Parts of this page");
    link(pins, "Pinned time", "pinned");
    link(waiting, "Waiting time", "waiting");
    link(timeline, "Timeline", "timeline");
    link(pins, "Lengths", "lengths");
    link(pins, "Findings", "findings");
    link(true, "Recording", "quality");
    html.close();
    html.open("label", "class", "theme").leaf("span", "Theme", "class", "unseen");
    html.open("select", "id", "theme", "hidden", "");
    html.leaf("option", "System", "value", "");
    html.leaf("option", "Light", "value", "light");
    html.leaf("option", "Dark", "value", "dark");
    html.close().close();
    html.end();
  }

  private void link(boolean there, String text, String id) {
    if (there) {
      html.leaf("a", text, "href", "#" + id);
    }
  }

  private void section(String id, String title) {
    html.open("section", "id", id, "aria-labelledby", id + "-title");
    html.leaf("h2", title, "id", id + "-title");
  }

  private void verdict() {
    List<Phrase> lines = parts.headline();
    html.open("section", "id", "verdict", "aria-labelledby", "verdict-title");
    document.subjects(findings.recordings().stream().map(ReportParts::recording).toList());
    html.open("h1", "id", "verdict-title").phrase(lines.getFirst()).close();
    figure.account(findings.account());
    html.end();
  }

  private void inFigures() {
    List<Phrase> lines = parts.headline();
    if (lines.size() > 1) {
      section("figures", "In figures");
      document.list("headline", lines.subList(1, lines.size()));
      html.end();
    }
  }

  private void worst() {
    if (entries.isEmpty()) {
      return;
    }
    List<ReportEntries.Entry> first = first();
    section("worst", first.size() == 1 ? "What to change" : "What to change first");
    html.open("ol", "class", "worst");
    for (ReportEntries.Entry entry : first.stream().limit(WORST).toList()) {
      html.open("li");
      switch (entry) {
        case ReportEntries.Entry.Pins(AdviceEntry pins) -> worst(pins);
        case ReportEntries.Entry.Other(Behavior other) -> {
          int number = parts.entries().number(other);
          toChange(number, anchors.of(other), parts.behavior(other));
        }
      }
      html.end();
    }
    html.close();
    int all = parts.entries().all().size();
    if (all > Math.min(WORST, first.size())) {
      html.leaf("a", "All " + all + " findings", "href", "#findings", "class", "more");
    }
    html.end();
  }

  /** Returns the entries that limited the program, in the order of their numbers. */
  private List<ReportEntries.Entry> first() {
    return parts.entries().all().stream()
        .filter(
            entry ->
                switch (entry) {
                  case ReportEntries.Entry.Pins pins -> true;
                  case ReportEntries.Entry.Other(Behavior other) -> parts.entries().matters(other);
                })
        .toList();
  }

  private void worst(AdviceEntry entry) {
    Item item = parts.found(entry);
    int number = parts.entries().number(entry);
    toChange(number, anchors.of(entry.first().finding()), item);
    html.open("div", "class", "cost");
    document.figures(item);
    figure.share(share(entry), colour(number));
    html.close();
  }

  private void toChange(int number, String anchor, Item item) {
    number(number);
    html.open("div");
    html.open("h3").open("a", "href", "#" + anchor).phrase(item.title());
    html.close().close();
    document.toDo(item);
    html.close();
  }

  private double share(AdviceEntry entry) {
    return (double) entry.total() / findings.cost().totalNanos();
  }

  private void number(int number) {
    html.leaf("span", Integer.toString(number), "class", "number " + colour(number));
  }

  /**
   * Returns the colour class of an entry; there are only as many colours as can be distinguished.
   */
  static String colour(int number) {
    return number > 6 ? "site-rest" : "site-" + number;
  }

  private void flames(String id, String title, String about) {
    section(id, title);
    html.leaf("p", about, "class", "about");
    html.open("div", "class", "chart flames", "id", id + "-chart", "data-chart", id);
    html.leaf("p", "The chart needs JavaScript and a browser of 2024 or later.", "class", "faint");
    html.close().end();
  }

  private void timeline(ChartData data) {
    section("timeline", "Carriers by time");
    boolean known = data.timelines().stream().anyMatch(each -> !each.queueAt().isEmpty());
    html.leaf(
        "p",
        "Pins by time, in the colour and with the number of their finding"
            + (known ? "; above, how many virtual threads waited for a carrier" : "")
            + ". "
            + rows(data)
            + (known ? "" : " How many threads waited for a carrier was not recorded."),
        "class",
        "about");
    html.open("div", "class", "chart", "id", "timeline-chart", "data-chart", "timeline");
    html.leaf("p", "The chart needs JavaScript and a browser of 2024 or later.", "class", "faint");
    html.close().end();
  }

  private static String rows(ChartData data) {
    boolean none = data.timelines().stream().allMatch(each -> each.carriers().isEmpty());
    boolean all =
        data.timelines().stream().allMatch(each -> each.carriers().size() == each.lanes());
    String free =
        "a pin takes the first row that is free, so as many rows are filled at a moment as carriers"
            + " were pinned.";
    return none
        ? "A row is not one carrier, of which the recording does not tell: " + free
        : "A row is a carrier"
            + (all ? "." : ", as far as the recording tells; of the other rows, " + free);
  }

  private void findings() {
    section("findings", "Findings");
    EntryArticle article = new EntryArticle(html, document, figure, page, anchors, parts);
    entries.forEach(entry -> article.write(entry, share(entry)));
    List<Phrase> minor = parts.minor();
    if (!minor.isEmpty()) {
      html.open("details", "class", "minor", entries.isEmpty() ? "open" : "data-closed", "");
      html.open("summary").phrase(minor.getFirst()).close();
      for (AdviceEntry entry : page.advice().minor()) {
        for (Pin finding : entry.findings()) {
          html.leaf("span", "", "class", "anchor", "id", anchors.of(finding));
        }
      }
      document.list("lines", minor.subList(1, minor.size()));
      html.close();
    }
    html.end();
  }

  private void behaviors() {
    if (findings.behaviors().isEmpty()) {
      return;
    }
    section("others", "What else threads wait for or use");
    for (Behavior finding : findings.behaviors()) {
      int number = parts.entries().number(finding);
      String id = anchors.ofFirst(finding).orElse("other-" + number);
      document.item(number, parts.behavior(finding), List.of(), "h3", "id", id);
    }
    html.end();
  }

  private void quality() {
    section("quality", "What the recording cannot tell");
    if (findings.gaps().isEmpty()) {
      html.leaf("p", "Nothing is known to be missing.");
    } else {
      document.list("gaps", findings.gaps().stream().map(this::gap).toList());
    }
    for (RecordingFacts facts : findings.recordings()) {
      settings(facts);
    }
    html.end();
  }

  private Phrase gap(Gap gap) {
    boolean several = findings.recordings().size() > 1 && !gap.recording().isEmpty();
    return several
        ? Phrase.of(Phrase.Tone.STRONG, gap.recording() + ": ").and(gap.text())
        : Phrase.of(gap.text());
  }

  private void settings(RecordingFacts facts) {
    if (facts.settings().isEmpty()) {
      return;
    }
    html.open("details").leaf("summary", "What " + facts.source() + " was set to record");
    List<List<String>> rows =
        facts.settings().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(each -> row(each.getKey(), each.getValue()))
            .toList();
    document.table("Events", List.of("Event", "On", "From", "Every", "Stacks"), rows);
    html.close();
  }

  private static List<String> row(String event, RecordingFacts.EventSetting setting) {
    return List.of(
        event,
        setting.enabled() ? "yes" : "no",
        time(setting.thresholdNanos()),
        time(setting.periodNanos()),
        setting.stackTrace() ? "yes" : "no");
  }

  private static String time(long nanos) {
    return nanos == 0 ? "" : Figures.duration(nanos);
  }
}
