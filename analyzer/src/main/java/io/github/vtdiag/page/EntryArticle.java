package io.github.vtdiag.page;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.report.ReportParts;
import io.github.vtdiag.report.format.Html;
import io.github.vtdiag.report.format.HtmlDocument;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.FindingWords;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One entry on the page: the place, the evidence, what to do and why, and the stacks. */
final class EntryArticle {
  /** The most stacks on a page; more would make it too large to open. */
  private static final String NEEDS_SOURCES =
      "vtdiag patch writes this as a patch of your sources, if their folder is named with"
          + " --sources and the classes with --classpath.";

  private static final int MOST_STACKS = 100;

  private final Html html;
  private final HtmlDocument document;
  private final Figure figure;
  private final Page page;
  private final Anchors anchors;
  private final ReportParts parts;
  private int stacks;

  EntryArticle(
      Html html,
      HtmlDocument document,
      Figure figure,
      Page page,
      Anchors anchors,
      ReportParts parts) {
    this.document = document;
    this.anchors = anchors;
    this.html = html;
    this.figure = figure;
    this.page = page;
    this.parts = parts;
  }

  void write(AdviceEntry entry, double share) {
    int number = parts.entries().number(entry);
    Item found = parts.found(entry);
    Item advised = parts.advised(entry);
    html.open("article", "class", "entry", "id", anchors.of(entry.first().finding()));
    entry.findings().stream().skip(1).forEach(this::anchor);
    html.open("h3");
    html.leaf("span", Integer.toString(number), "class", "number " + PageBody.colour(number));
    html.phrase(found.title()).close();
    document.figures(found);
    figure.share(share, PageBody.colour(number));
    html.open("div", "class", "sides").open("div").leaf("h4", "What holds the carrier");
    document.list("details", found.details());
    html.close();
    html.open("div").leaf("h4", "What to do");
    html.open("p", "class", "todo").phrase(advised.title()).text(".").close();
    document.list(
        "details",
        advised.details().stream().filter(line -> !found.details().contains(line)).toList());
    patch(entry);
    html.close().close();
    Optional.ofNullable(page.diffs().get(entry)).ifPresent(diff -> PatchText.write(html, diff));
    entry.findings().forEach(this::stack);
    html.end();
  }

  /**
   * Writes an anchor, so that a finding's address leads to the entry that it shares with others.
   */
  private void anchor(Pin finding) {
    html.leaf("span", "", "class", "anchor", "id", anchors.of(finding));
  }

  private void patch(AdviceEntry entry) {
    boolean rewrite = entry.rewrites().stream().anyMatch(Recommendation.Rewrite::isPatchable);
    if (rewrite && page.patch().isEmpty()) {
      html.leaf("p", NEEDS_SOURCES, "class", "faint");
    } else if (rewrite) {
      html.leaf("p", "As a patch of your sources:", "class", "faint");
      html.open("div", "class", "command").leaf("code", page.patch());
      html.leaf("button", "Copy", "type", "button", "class", "copy", "hidden", "").close();
    }
  }

  private void stack(Pin finding) {
    List<Frame> frames = finding.stack().frames();
    if (frames.isEmpty() || stacks++ >= MOST_STACKS) {
      return;
    }
    Map<Integer, PinCause> marked = new HashMap<>();
    finding.alsoHeld().forEach(also -> mark(also.cause(), finding, marked));
    mark(finding.cause(), finding, marked);
    html.open("details", "class", "stack").open("summary");
    html.text("Stack: ").open("code").name(FindingWords.title(finding)).close();
    html.text(
        ", " + Figures.duration(finding.total()) + " in " + Figures.count(finding.count(), "pin"));
    html.close();
    html.leaf("p", "Innermost frame first, of the pins that cost most together.", "class", "faint");
    html.open("ol");
    for (int depth = 0; depth < frames.size(); depth++) {
      Frame frame = frames.get(depth);
      boolean marks = marked.containsKey(depth);
      String look = marks ? "holds" : frame.type().isJdk() ? "jdk" : "own";
      html.open("li", "class", look).open("code").name(frame.qualifiedMethod());
      if (frame.line() >= 0) {
        html.text(" ").leaf("span", Figures.position(frame.type(), frame.line()), "class", "faint");
      }
      html.close();
      if (marks) {
        html.leaf("strong", ReportParts.cause(marked.get(depth)), "class", "holder");
      }
      html.close();
    }
    html.close();
    if (finding.stack().truncated()) {
      html.leaf("p", "Outer frames were cut off: a monitor further out is not seen.");
    }
    html.end();
  }

  /**
   * Marks the frame of a cause on this stack, which need not be the one on which the cause was
   * first seen.
   */
  private static void mark(PinCause cause, Pin finding, Map<Integer, PinCause> marked) {
    List<Frame> frames = finding.stack().frames();
    cause
        .at()
        .ifPresent(
            frame -> {
              for (int depth = 0; depth < frames.size(); depth++) {
                Frame each = frames.get(depth);
                if (each.type().equals(frame.type())
                    && each.method().equals(frame.method())
                    && each.descriptor().equals(frame.descriptor())) {
                  marked.put(depth, cause);
                  return;
                }
              }
            });
  }
}
