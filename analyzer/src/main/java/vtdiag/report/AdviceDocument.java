package vtdiag.report;

import static vtdiag.report.Phrase.Tone.FAINT;
import static vtdiag.report.Phrase.Tone.FIGURE;
import static vtdiag.report.Phrase.Tone.GOOD;
import static vtdiag.report.Phrase.Tone.NAME;
import static vtdiag.report.Phrase.Tone.STRONG;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import vtdiag.advice.Advice;
import vtdiag.advice.Advice.Action;
import vtdiag.advice.Advised;
import vtdiag.advice.Recommendation;
import vtdiag.analysis.Finding;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Gap;
import vtdiag.model.Figures;
import vtdiag.model.PinCause;
import vtdiag.report.Document.Block;
import vtdiag.report.Document.Item;
import vtdiag.upgrade.Upgrade;

/** What to do, in words: what frees most first, each with why and what to expect. */
final class AdviceDocument {
  private static final int MOST = 20;
  private static final int MOST_SITES = 8;

  private final Findings findings;
  private final List<Block> blocks = new ArrayList<>();

  private AdviceDocument(Findings findings) {
    this.findings = findings;
  }

  static Document of(Findings findings, Advice advice, List<String> next) {
    AdviceDocument document = new AdviceDocument(findings);
    document.blocks.add(FindingsDocument.subjects(findings));
    document.blocks.add(new Block.Sentences(document.verdict(advice)));
    document.items(advice.actions());
    document.upgrades(advice.fixes().read());
    document.gaps();
    if (!next.isEmpty()) {
      document.blocks.add(new Block.Commands(next));
    }
    return new Document("What to do about pinned virtual threads", document.blocks);
  }

  private List<Phrase> verdict(Advice advice) {
    List<Phrase> lines = new ArrayList<>();
    String verdict;
    if (findings.cost().count() == 0) {
      verdict = FindingsDocument.noPins(findings);
    } else if (advice.all().upTo() == 0) {
      verdict = "No change is recommended.";
    } else {
      verdict = "All of this together " + AdviceWords.frees(advice.all(), findings) + ".";
    }
    lines.add(Phrase.of(STRONG, verdict));
    findings
        .since24()
        .filter(since24 -> since24.goneNanos() > 0)
        .ifPresent(
            since24 ->
                lines.add(
                    Phrase.of(
                        "Java 24 or later alone (JEP 491) would free "
                            + Figures.seconds(since24.goneNanos())
                            + " of "
                            + Figures.seconds(findings.cost().totalNanos())
                            + ".")));
    return lines;
  }

  private void items(List<Action> actions) {
    List<Item> items = actions.stream().limit(MOST).map(this::item).toList();
    if (!items.isEmpty()) {
      blocks.add(new Block.Items(List.of(), items));
    }
    if (actions.size() > MOST) {
      blocks.add(
          new Block.Sentences(
              List.of(
                  Phrase.of(
                      Figures.count(actions.size() - MOST)
                          + " more that free less; --json has them all."))));
    }
  }

  private void upgrades(List<Upgrade> upgrades) {
    for (Upgrade upgrade : upgrades) {
      List<Phrase> lines = UpgradeWords.lines(upgrade).stream().map(Phrase::of).toList();
      if (!lines.isEmpty()) {
        blocks.add(new Block.Sentences(lines));
      }
    }
  }

  private Item item(Action action) {
    Advised first = action.advised().getFirst();
    List<Phrase> lines = new ArrayList<>();
    for (Recommendation each : action.together()) {
      lines.add(Phrase.of(STRONG, "and " + AdviceWords.toDo(each)));
    }
    action.advised().forEach(each -> lines.add(what(each.finding())));
    if (action.recommendation() instanceof Recommendation.Rewrite rewrite) {
      List<String> sites = AdviceWords.sites(rewrite);
      int more = sites.size() - MOST_SITES;
      lines.add(
          Phrase.of(
              "sites: "
                  + String.join(", ", sites.stream().limit(MOST_SITES).toList())
                  + (more > 0 ? " and " + Figures.count(more) + " more" : "")));
    }
    action.advised().stream()
        .filter(each -> !AdviceWords.toDo(each.recommendation()).contains(each.reason()))
        .map(Advised::reason)
        .distinct()
        .forEach(reason -> lines.add(Phrase.of("why: " + reason)));
    if (action.freed().upTo() > 0) {
      lines.add(Phrase.of(GOOD, AdviceWords.frees(action.freed(), findings)).and(alone(first)));
      lines.addAll(expected(action.advised(), Advised::effect, AdviceWords::sharing));
      lines.addAll(
          expected(action.advised(), each -> each.effect().prediction(), AdviceWords::prediction));
    }
    for (Advised.Alternative other : first.alternatives()) {
      lines.add(
          Phrase.of(
              "or: "
                  + AdviceWords.toDo(other.recommendation())
                  + "; frees "
                  + Figures.seconds(other.freed().upTo())
                  + " of its "
                  + Figures.seconds(first.finding().total())
                  + " carrier-seconds"));
    }
    String title = AdviceWords.upperFirst(AdviceWords.toDo(action.recommendation()));
    return new Item(Phrase.of(title), List.of(), lines, Optional.empty());
  }

  private static Phrase what(Finding finding) {
    return Phrase.of("for: ")
        .and(NAME, Words.title(finding))
        .and(", ")
        .and(FIGURE, Figures.duration(finding.total()))
        .and(
            " in "
                + Figures.count(finding.count(), "pin")
                + (finding.cause() instanceof PinCause.MonitorEntry ? " that wait to enter" : ""));
  }

  /**
   * What to expect of each path; said once if it is the same for all. Those that wait for a lock
   * share what is said of the thread inside it.
   */
  private static <T> List<Phrase> expected(
      List<Advised> advised, Function<Advised, T> of, Function<T, String> words) {
    List<Advised> holders =
        advised.stream()
            .filter(each -> !(each.finding().cause() instanceof PinCause.MonitorEntry))
            .toList();
    Map<String, String> said = new LinkedHashMap<>();
    for (Advised each : holders.isEmpty() ? advised : holders) {
      said.putIfAbsent(words.apply(of.apply(each)), Words.title(each.finding()));
    }
    said.remove("");
    List<Phrase> lines = new ArrayList<>();
    said.forEach(
        (sentence, title) ->
            lines.add(
                said.size() == 1
                    ? Phrase.of(sentence)
                    : Phrase.of(NAME, title).and(": " + sentence)));
    return lines;
  }

  private static String alone(Advised advised) {
    if (advised.together().isEmpty()) {
      return "";
    }
    long alone = advised.effect().aloneFreed().upTo();
    return alone == 0
        ? "; the first alone frees nothing here"
        : "; the first alone frees " + Figures.seconds(alone) + " here";
  }

  private void gaps() {
    List<Phrase> notes = new ArrayList<>();
    for (Gap gap : findings.gaps()) {
      switch (gap.kind()) {
        case DAMAGED,
            EVENTS_LOST,
            CLASS_PATH_PROBLEM,
            STACKS_TRUNCATED,
            NO_STACKS,
            CLASSES_UNREAD,
            CLASSES_UNFIT,
            MONITORS_DO_NOT_PIN,
            WHAT_IF,
            OUTSIDE_RANGE ->
            notes.add(Phrase.of(FAINT, "Not in the recording: " + gap.text() + "."));
        case PINNED_EVENT_OFF,
            PINNED_EVENT_UNKNOWN,
            SHORT_PINS_HIDDEN,
            SHORT_MONITOR_EVENTS_HIDDEN,
            MONITOR_EVENT_OFF,
            JDK_CLASSES_UNREAD,
            NO_AGENT,
            CAPACITY_UNKNOWN,
            JDK_UNKNOWN -> {
          // They do not change the advice; analyze tells of them.
        }
      }
    }
    if (!notes.isEmpty()) {
      blocks.add(new Block.Notes(notes));
    }
  }
}
