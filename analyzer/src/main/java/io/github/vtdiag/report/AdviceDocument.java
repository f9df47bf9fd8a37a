package io.github.vtdiag.report;

import static io.github.vtdiag.report.words.Phrase.Tone.FAINT;
import static io.github.vtdiag.report.words.Phrase.Tone.GOOD;
import static io.github.vtdiag.report.words.Phrase.Tone.STRONG;
import static io.github.vtdiag.report.words.Phrase.Tone.WARNING;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.words.AdviceWords;
import io.github.vtdiag.report.words.AssumptionWords;
import io.github.vtdiag.report.words.BehaviorWords;
import io.github.vtdiag.report.words.CallbackWords;
import io.github.vtdiag.report.words.DeadlockWords;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.EntryWords;
import io.github.vtdiag.report.words.FindingWords;
import io.github.vtdiag.report.words.JavaWords;
import io.github.vtdiag.report.words.MeasuredAddress;
import io.github.vtdiag.report.words.NextSteps;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.UpgradeWords;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.verdict.Conclusion;
import io.github.vtdiag.verdict.Conclusions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The document with the advice: the costliest entry first, each with its reason and expected
 * effect.
 */
final class AdviceDocument {
  private static final int MOST_SITES = 4;

  private final Findings findings;
  private final Advice advice;
  private final Detail detail;
  private final NextSteps next;
  private final Optional<Assumptions> assumed;
  private final Map<Recommendation.Rewrite, String> unpatched;
  private final ReportEntries entries;
  private final List<Block> blocks = new ArrayList<>();
  private final List<Phrase> notes = new ArrayList<>();

  AdviceDocument(Report.Recommendations of) {
    assumed = of.assumed();
    findings = of.findings();
    advice = of.advice();
    unpatched = of.unpatched();
    entries = new ReportEntries(findings, advice);
    detail = of.detail();
    next = of.next();
  }

  Document document() {
    blocks.add(FindingsDocument.subjects(findings));
    List<Phrase> top = new ArrayList<>(new Headline(findings, advice, entries).lines());
    together().ifPresent(top::add);
    blocks.add(new Block.Sentences(top));
    entries();
    upgrades();
    gaps();
    if (isPatchLeftOut()) {
      notes.add(
          Phrase.of(
              "vtdiag patch can replace these monitors in your sources: name their folder with"
                  + " --sources."));
    }
    next.compares()
        .flatMap(measure -> MeasuredAddress.note(measure, findings.recordings()))
        .map(Phrase::of)
        .ifPresent(notes::add);
    if (!notes.isEmpty()) {
      blocks.add(new Block.Notes(notes));
    }
    if (!next.commands().isEmpty()) {
      blocks.add(new Block.Commands(next.commands()));
    }
    return new Document("What to do about pinned virtual threads", blocks);
  }

  /** Returns whether a patch could be made, and no command for it is among these. */
  private boolean isPatchLeftOut() {
    return !next.commands().isEmpty()
        && !next.patches()
        && advice.main().stream()
            .flatMap(entry -> entry.rewrites().stream())
            .anyMatch(rewrite -> rewrite.isPatchable() && !unpatched.containsKey(rewrite));
  }

  private Optional<Phrase> together() {
    if (advice.main().isEmpty()) {
      return Optional.empty();
    }
    if (advice.all().upTo() == 0) {
      return Optional.of(Phrase.of("No change of the code is recommended."));
    }
    // In that case a single line says it already.
    boolean one =
        advice.main().size() == 1
            || advice.main().stream()
                .allMatch(entry -> entry.recommendation() instanceof Recommendation.UpgradeJdk);
    return one
        ? Optional.empty()
        : Optional.of(
            Phrase.of(
                "Making all changes below "
                    + AdviceWords.frees(advice.all(), findings)
                    + "."
                    + laterJavasPart()));
  }

  /** Returns the part of the sum that only a later Java frees: no change of the code gets it. */
  private String laterJavasPart() {
    long code = advice.withoutLaterJava().upTo();
    String all = Figures.seconds(advice.all().upTo());
    String only = Figures.seconds(advice.all().upTo() - code);
    if (advice.all().upTo() == code || only.equals(Figures.seconds(0))) {
      return "";
    }
    return code == 0 || all.equals(only)
        ? " Only " + JavaWords.LATER + " frees that; no change of code or libraries is recommended."
        : " Changes of code and libraries free "
            + Figures.seconds(code)
            + " of them; only "
            + JavaWords.LATER
            + " frees the other "
            + only
            + ".";
  }

  private void entries() {
    ReportList list = new ReportList(entries, findings, advice, detail);
    List<Item> items = list.items(this::item, BehaviorWords::item);
    if (!items.isEmpty()) {
      blocks.add(new Block.Items(List.of(), items));
    }
    notes.addAll(list.rest());
    notes.addAll(EntryWords.minor(advice.minor(), detail));
  }

  private void upgrades() {
    for (Upgrade upgrade : advice.fixes().read()) {
      List<Phrase> lines = UpgradeWords.lines(upgrade).stream().map(Phrase::of).toList();
      if (!lines.isEmpty()) {
        blocks.add(new Block.Sentences(lines));
      }
    }
  }

  Item item(AdviceEntry entry) {
    List<Phrase> lines = new ArrayList<>();
    entry.together().stream()
        .map(AdviceWords::toDo)
        .distinct()
        .forEach(toDo -> lines.add(Phrase.of(STRONG, "and " + toDo)));
    lines.addAll(EntryWords.findings("for: ", entry, 0, detail));
    insideJdk(entry).map(Phrase::of).ifPresent(lines::add);
    EntryWords.reachedFrom(entry, detail).ifPresent(lines::add);
    CallbackWords.inside(entry.first().finding()).ifPresent(lines::add);
    if (!entry.together().isEmpty()) {
      lines.addAll(EntryWords.alsoHeld(entry.first().finding(), detail));
    }
    if (entry.recommendation() instanceof Recommendation.Rewrite rewrite) {
      lines.add(Phrase.of(sites(AdviceWords.sites(rewrite))));
    }
    entry.rewrites().stream()
        .flatMap(rewrite -> rewrite.inOtherLanguage().stream())
        .distinct()
        .forEach(file -> lines.add(Phrase.of(AdviceWords.inItsLanguage(file))));
    entry.rewrites().stream()
        .filter(Recommendation.Rewrite::isPatchable)
        .filter(unpatched::containsKey)
        .forEach(rewrite -> lines.add(Phrase.of(byHand(rewrite, unpatched.get(rewrite)))));
    reasons(entry).forEach(reason -> lines.add(Phrase.of("why: " + reason)));
    Freed freed = AdviceWords.freed(entry);
    if (freed.upTo() > 0) {
      lines.add(Phrase.of(GOOD, AdviceWords.frees(freed, findings)).and(alone(entry)));
      if (detail == Detail.FULL || !FindingsDocument.isSmall(entry, findings)) {
        lines.addAll(expected(entry));
      }
    } else {
      DeadlockWords.effect(entry, findings).map(Phrase::of).ifPresent(lines::add);
    }
    alternatives(entry).forEach(lines::add);
    String title =
        Printable.upperFirst(DeadlockWords.first(entry, findings) + EntryWords.toDo(entry));
    return new Item(Phrase.of(title), List.of(), lines, Optional.empty());
  }

  /** Returns the JDK's method and its lock, if the entry is named for the method that called it. */
  private static Optional<String> insideJdk(AdviceEntry entry) {
    Pin finding = entry.first().finding();
    return finding.caller().isPresent()
            && entry.ofMany().isEmpty()
            && finding.cause() instanceof PinCause.OfMonitor
            && !finding.site().method().isEmpty()
        ? Optional.of(FindingWords.cause(finding))
        : Optional.empty();
  }

  private static String byHand(Recommendation.Rewrite rewrite, String why) {
    boolean inKotlin = rewrite.locks().stream().anyMatch(Lock::isInKotlin);
    return "by hand, for vtdiag patch leaves it out: "
        + why
        + (inKotlin ? "; " + AdviceWords.inItsLanguage(".kt") : "");
  }

  /** Returns the reasons for an entry: in brief that of its first finding, in full those of all. */
  private List<String> reasons(AdviceEntry entry) {
    return entry.advised().stream()
        .limit(detail == Detail.FULL ? entry.advised().size() : 1)
        .filter(each -> each.recommendation().getClass() == entry.recommendation().getClass())
        .filter(each -> !AdviceWords.toDo(each.recommendation()).contains(each.reason()))
        .map(Advised::reason)
        .distinct()
        .toList();
  }

  private String sites(List<String> sites) {
    int most = detail == Detail.FULL ? sites.size() : MOST_SITES;
    int more = sites.size() - most;
    return "sites: "
        + String.join(", ", sites.stream().limit(most).toList())
        + (more > 0 ? " and " + Figures.count(more) + " more" : "");
  }

  /**
   * Returns the alternatives. A later Java is named at the top; what it frees of each entry, in
   * full.
   */
  private List<Phrase> alternatives(AdviceEntry entry) {
    Advised first = entry.first();
    return first.alternatives().stream()
        .filter(
            other ->
                detail == Detail.FULL
                    || !(other.recommendation() instanceof Recommendation.UpgradeJdk))
        .map(other -> Phrase.of(alternative(first.finding(), other)))
        .toList();
  }

  private static String alternative(Pin finding, Advised.Alternative other) {
    return "or: "
        + AdviceWords.toDo(other.recommendation())
        + (other.freed().nanos() == finding.total()
            ? ""
            : "; frees "
                + Figures.seconds(other.freed().upTo())
                + " of its "
                + Figures.seconds(finding.total())
                + " carrier-seconds");
  }

  /** Returns the expected effect for the path that cost most. */
  private List<Phrase> expected(AdviceEntry entry) {
    Advised path = entry.path();
    return Stream.of(
            DeadlockWords.effect(entry, findings)
                .orElseGet(() -> AdviceWords.sharing(path, findings)),
            AdviceWords.prediction(path.effect().prediction()))
        .filter(sentence -> !sentence.isEmpty())
        .map(Phrase::of)
        .toList();
  }

  private static String alone(AdviceEntry entry) {
    if (entry.together().isEmpty()) {
      return "";
    }
    long alone = entry.aloneFreed().upTo();
    return alone == 0
        ? "; the first alone frees nothing here"
        : "; the first alone frees " + Figures.seconds(alone) + " here";
  }

  private void gaps() {
    Conclusion conclusion = Conclusions.of(findings);
    for (Gap gap : findings.gaps()) {
      if (gap.kind().is(Gap.Trait.STALL)) {
        if (!conclusion.says(gap)) {
          notes.add(Phrase.of(WARNING, gap.stall()));
        }
      } else if (gap.kind().is(Gap.Trait.LIMITS_ADVICE)) {
        String before =
            gap.kind().is(Gap.Trait.STATEMENT)
                ? ""
                : gap.kind().is(Gap.Trait.INCOMPLETE) ? "Incomplete: " : "Not in this recording: ";
        notes.add(Phrase.of(FAINT, before + gap.text() + "."));
      }
    }
    // Where nothing is rewritten, nothing depends on them.
    assumed
        .filter(each -> advice.main().stream().anyMatch(entry -> !entry.rewrites().isEmpty()))
        .map(AssumptionWords::lines)
        .orElse(List.of())
        .stream()
        .map(line -> Phrase.of(FAINT, line))
        .forEach(notes::add);
  }
}
