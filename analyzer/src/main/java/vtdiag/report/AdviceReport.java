package vtdiag.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
import vtdiag.recording.RecordingFacts;

/** What to do, for people: what frees most first, each with why and what to expect. */
public final class AdviceReport {
  private static final int DETAIL = 7;
  private static final int MOST = 20;
  private static final int MOST_SITES = 8;

  private final Findings findings;
  private final Style style;
  private final StringBuilder text = new StringBuilder();

  private AdviceReport(Findings findings, Style style) {
    this.findings = findings;
    this.style = style;
  }

  /**
   * Writes the report.
   *
   * @param next commands that make sense now; may be empty
   */
  public static String of(Findings findings, Advice advice, Style style, List<String> next) {
    AdviceReport report = new AdviceReport(findings, style);
    for (RecordingFacts facts : findings.recordings()) {
      report.line(0, TextReport.recording(facts, style));
    }
    report.text.append('\n');
    report.verdict(advice);
    List<Action> actions = advice.actions();
    int number = 0;
    for (Action action : actions.stream().limit(MOST).toList()) {
      number++;
      report.action(number, action, String.valueOf(Math.min(actions.size(), MOST)).length());
    }
    if (actions.size() > MOST) {
      report.line(
          2, Figures.count(actions.size() - MOST) + " more that free less; --json has them all.");
      report.text.append('\n');
    }
    report.gaps();
    if (!next.isEmpty()) {
      report.text.append(style.commands(next));
    }
    return report.text.toString();
  }

  private void verdict(Advice advice) {
    if (findings.cost().count() == 0) {
      line(2, style.bold("Nothing to advise on: " + TextReport.noPins(findings)));
    } else if (advice.all().upTo() == 0) {
      line(2, style.bold("Nothing here is known to be safe to change."));
    } else {
      line(
          2, style.bold("All of this together " + AdviceWords.frees(advice.all(), findings) + "."));
    }
    findings
        .since24()
        .filter(since24 -> since24.goneNanos() > 0)
        .ifPresent(
            since24 ->
                line(
                    2,
                    "Java 24 or later alone (JEP 491) would free "
                        + Figures.seconds(since24.goneNanos())
                        + " of "
                        + Figures.seconds(findings.cost().totalNanos())
                        + "."));
    text.append('\n');
  }

  private void action(int number, Action action, int width) {
    Advised first = action.advised().getFirst();
    line(
        2,
        String.format(Locale.ROOT, "%" + width + "d  ", number)
            + style.bold(AdviceWords.upperFirst(AdviceWords.toDo(action.recommendation()))));
    for (Recommendation each : action.together()) {
      line(DETAIL, style.bold("and " + AdviceWords.toDo(each)));
    }
    for (Advised each : action.advised()) {
      Finding finding = each.finding();
      line(
          DETAIL,
          "for: "
              + finding.title()
              + ", "
              + style.yellow(Figures.duration(finding.total()))
              + " in "
              + Figures.count(finding.count(), "pin")
              + (finding.cause() instanceof PinCause.MonitorEntry ? " that wait to enter" : ""));
    }
    if (action.recommendation() instanceof Recommendation.Rewrite rewrite) {
      List<String> sites = AdviceWords.sites(rewrite);
      int more = sites.size() - MOST_SITES;
      line(
          DETAIL,
          "sites: "
              + String.join(", ", sites.stream().limit(MOST_SITES).toList())
              + (more > 0 ? " and " + Figures.count(more) + " more" : ""));
    }
    action.advised().stream()
        .filter(each -> !AdviceWords.toDo(each.recommendation()).contains(each.reason()))
        .map(Advised::reason)
        .distinct()
        .forEach(reason -> line(DETAIL, "why: " + reason));
    if (action.freed().upTo() > 0) {
      line(DETAIL, style.green(AdviceWords.frees(action.freed(), findings)) + alone(first));
      expected(action.advised(), Advised::effect, AdviceWords::sharing);
      expected(action.advised(), each -> each.effect().prediction(), AdviceWords::prediction);
    }
    for (Advised.Alternative other : first.alternatives()) {
      line(
          DETAIL,
          "or: "
              + AdviceWords.toDo(other.recommendation())
              + "; frees "
              + Figures.seconds(other.freed().upTo())
              + " of its "
              + Figures.seconds(first.finding().total())
              + " carrier-seconds");
    }
    text.append('\n');
  }

  /**
   * What to expect of each path; said once if it is the same for all. Those that wait for a lock
   * share what is said of the thread inside it.
   */
  private <T> void expected(
      List<Advised> advised, Function<Advised, T> of, Function<T, String> words) {
    List<Advised> holders =
        advised.stream()
            .filter(each -> !(each.finding().cause() instanceof PinCause.MonitorEntry))
            .toList();
    Map<String, String> said = new LinkedHashMap<>();
    for (Advised each : holders.isEmpty() ? advised : holders) {
      said.putIfAbsent(words.apply(of.apply(each)), each.finding().title());
    }
    said.remove("");
    said.forEach(
        (sentence, title) -> line(DETAIL, said.size() == 1 ? sentence : title + ": " + sentence));
  }

  private static String alone(Advised advised) {
    if (advised.together().isEmpty()) {
      return "";
    }
    long alone = advised.effect().aloneFreed().upTo();
    return alone == 0
        ? "; the first without the others frees nothing here"
        : "; the first without the others " + Figures.seconds(alone) + " here";
  }

  private void gaps() {
    for (Gap gap : findings.gaps()) {
      switch (gap.kind()) {
        case DAMAGED,
            EVENTS_LOST,
            CLASS_PATH_PROBLEM,
            STACKS_TRUNCATED,
            NO_STACKS,
            CLASSES_UNREAD,
            MONITORS_DO_NOT_PIN,
            WHAT_IF,
            OUTSIDE_RANGE ->
            line(2, style.dim("Not known: " + gap.text() + "."));
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
  }

  private void line(int indent, String content) {
    text.append(style.line(indent, content));
  }
}
