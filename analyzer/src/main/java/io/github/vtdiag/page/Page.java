package io.github.vtdiag.page;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.PinsAlike;
import io.github.vtdiag.analysis.Recorded;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pipeline.AnalyzedRun;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.ReportParts;
import io.github.vtdiag.report.format.Html;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The content of a page.
 *
 * @param whole the data of which the findings were made
 * @param findings the findings, with what became known later
 * @param patch the command that makes a patch; empty if it is not known where the sources are
 * @param diffs the diff that this command would write for an entry; absent if it is empty, or not
 *     known
 * @param version vtdiag's version
 */
public record Page(
    AnalyzedRun whole,
    Findings findings,
    Advice advice,
    String patch,
    Map<AdviceEntry, String> diffs,
    String version) {
  public Page {
    diffs = Map.copyOf(diffs);
  }

  /** The scripts, in the order in which they build on each other. */
  private static final List<String> SCRIPTS =
      List.of("data.js", "chart.js", "fold.js", "flames.js", "timeline.js", "page.js");

  /** Returns the page: one file, which loads nothing from the network. */
  public byte[] html() {
    StringBuilder script = new StringBuilder();
    SCRIPTS.forEach(name -> script.append(Html.resource(Page.class, name)));
    Function<Recorded, List<PinsAlike>> alike = PinsAlike.of(whole.recorded());
    List<Drawn> drawn =
        whole.parts().stream().map(part -> new Drawn(part, alike.apply(part.recorded()))).toList();
    ReportParts parts = new ReportParts(findings, advice);
    ChartData data = data(drawn, parts);
    Html html = Html.page("vtdiag: " + subject(), script.toString());
    OptionalLong threshold = threshold();
    new PageBody(html, this, parts)
        .write(
            Lengths.of(drawn.stream().flatMap(each -> each.pins().stream()).toList(), threshold),
            threshold,
            data);
    payload(html, "data", Packed.text(data.json()));
    for (int i = 0; i < data.timelines().size(); i++) {
      payload(html, "pins-" + i, data.timelines().get(i).columns());
    }
    html.open("script", "type", "module").raw(script.toString()).end();
    html.close().end();
    return html.written().getBytes(StandardCharsets.UTF_8);
  }

  private static void payload(Html html, String id, String packed) {
    html.open("script", "type", "text/plain", "id", id).raw(packed).end();
  }

  /** A recording with its pins. */
  private record Drawn(AnalyzedRun.Part part, List<PinsAlike> pins) {}

  private static ChartData data(List<Drawn> recordings, ReportParts parts) {
    EntryNumbers numbers = new EntryNumbers(parts.entries());
    Flames pinned = new Flames();
    Flames waiting = new Flames();
    List<Timeline> timelines = new ArrayList<>();
    for (Drawn each : recordings) {
      AnalyzedRun.Part part = each.part();
      for (PinsAlike alike : each.pins()) {
        int entry = numbers.number(alike.site());
        pinned.add(alike.stack(), (double) alike.nanos(), part.owners(), alike.causes(), entry);
      }
      part.waits().forEach((stack, nanos) -> waiting.add(stack, nanos, part.owners()));
      timelines.add(Timeline.of(part.facts(), each.pins(), numbers));
    }
    List<ChartData.Entry> entries =
        parts.entries().all().stream()
            .map(entry -> new ChartData.Entry(parts.title(entry).text()))
            .toList();
    return new ChartData(entries, pinned.columns(), waiting.columns(), timelines);
  }

  /** Returns the length below which pins were not recorded; the highest of several recordings. */
  private OptionalLong threshold() {
    return findings.recordings().stream()
        .map(facts -> facts.settings().get(Events.PINNED))
        .filter(setting -> setting != null)
        .mapToLong(RecordingFacts.EventSetting::thresholdNanos)
        .max();
  }

  /** Returns the subject, for a window's title. */
  String subject() {
    List<String> sources = findings.recordings().stream().map(RecordingFacts::source).toList();
    return sources.size() == 1 ? sources.getFirst() : sources.size() + " recordings";
  }
}
