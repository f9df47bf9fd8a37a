package io.github.vtdiag.report;

import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.dump.HangAnswer;
import io.github.vtdiag.dump.PoolCrowd;
import io.github.vtdiag.dump.SnapshotPair;
import io.github.vtdiag.hang.CarriersKept;
import io.github.vtdiag.hang.Diagnosis;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.DiagnosisWords;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.WaitWords;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Outcome;
import io.github.vtdiag.report.words.JavaWords;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.waits.Awaited;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The answer to whether a JVM hangs, as a document that fits on one screen. */
final class HangDocument {
  /** The most lines of a list, as a screen has 24. */
  private static final int FEW = 5;

  /** The most frames that are shown of a stack that many threads have. */
  private static final int FRAMES = 12;

  /** The kinds of hang in which all carriers are occupied. */
  private static final Set<DiagnosisKind> KEPT =
      Set.of(DiagnosisKind.STARVED, DiagnosisKind.DEADLOCK_BY_PINNING);

  private final HangAnswer answer;
  private final SnapshotPair looks;
  private final Detail detail;
  private final DiagnosisWords words;
  private final List<Block> blocks = new ArrayList<>();

  private HangDocument(Report.Hung of) {
    this.answer = of.answer();
    this.looks = answer.looks();
    this.detail = of.detail();
    this.words = new DiagnosisWords(looks.feature());
  }

  static Document of(Report.Hung of) {
    HangDocument document = new HangDocument(of);
    document.write(of);
    return new Document("Does it hang?", document.blocks);
  }

  private void write(Report.Hung of) {
    blocks.add(new Block.Subjects(List.of(subject(of.subject()))));
    if (answer.outcome() == HangAnswer.Outcome.NOT_KNOWN && answer.isOpen()) {
      blocks.add(notKnown());
    }
    boolean seenToHang = answer.diagnoses().stream().anyMatch(Diagnosis::isDeadlock);
    if (!seenToHang) {
      answer.agentSays().forEach(hang -> blocks.add(agentSays(hang)));
    }
    List<Diagnosis> told =
        detail == Detail.FULL
            ? answer.diagnoses()
            : answer.diagnoses().subList(0, Math.min(2, answer.diagnoses().size()));
    if (answer.outcome() == HangAnswer.Outcome.NOT_KNOWN
        || (!answer.agentSays().isEmpty() && !seenToHang)) {
      told.stream()
          .filter(diagnosis -> !HangAnswer.leavesOpen(diagnosis) && !isTold(diagnosis))
          .forEach(diagnosis -> blocks.add(asFarAsSeen(diagnosis)));
    } else {
      told.forEach(diagnosis -> blocks.add(diagnosis(diagnosis)));
    }
    if (told.size() < answer.diagnoses().size()) {
      sentence(answer.diagnoses().size() - told.size() + " more; -v lists them.");
    }
    pools();
    if (detail == Detail.FULL) {
      stacks();
    }
    List<Phrase> notes = new ArrayList<>();
    looks.limits().stream()
        .skip(limitIsReason() ? 1 : 0)
        .forEach(limit -> notes.add(Phrase.of(Phrase.Tone.WARNING, "note: ").and(limit)));
    looks.hints().forEach(hint -> notes.add(Phrase.of(Phrase.Tone.FAINT, hint)));
    if (answer.outcome() != HangAnswer.Outcome.FINE
        && !isDeadlockTold()
        && answer.diagnoses().stream().noneMatch(Diagnosis::isDeadlock)) {
      JavaWords.whereThreadsStandStill(looks.version(), answer::mayBe)
          .forEach(fault -> notes.add(Phrase.of(Phrase.Tone.WARNING, fault)));
    }
    if (!notes.isEmpty()) {
      blocks.add(new Block.Notes(notes));
    }
    if (!of.next().isEmpty()) {
      blocks.add(new Block.Commands(of.next()));
    }
  }

  /** Returns whether vtdiag's agent says the same, or that and more of the same carriers. */
  private boolean isTold(Diagnosis diagnosis) {
    return answer.agentSays().stream()
        .anyMatch(
            hang ->
                diagnosis.kind() == DiagnosisKind.STARVED
                    ? hang.known().filter(KEPT::contains).isPresent()
                    : hang.known().filter(diagnosis.kind()::equals).isPresent()
                        && hang.statement().equals(diagnosis.statement()));
  }

  /** Returns whether the agent has seen what explains it without a fault of the JDK. */
  private boolean isDeadlockTold() {
    return answer.agentSays().stream()
        .anyMatch(hang -> hang.known().filter(DiagnosisKind::isDeadlock).isPresent());
  }

  /** Returns whether the answer begins with the first limit. */
  private boolean limitIsReason() {
    return answer.outcome() == HangAnswer.Outcome.NOT_KNOWN
        && answer.unseen().isEmpty()
        && answer.diagnoses().stream().noneMatch(HangAnswer::leavesOpen);
  }

  private Phrase subject(String subject) {
    long virtual = count(true);
    String carriers =
        looks.after().carriers().carriers().isPresent()
            ? ", " + Figures.count(looks.after().carriers().carriers().getAsInt(), "carrier")
            : "";
    String apart =
        looks.apart().isPresent()
            ? "two snapshots " + Figures.duration(looks.apart().getAsLong()) + " apart"
            : looks.heap() ? "a heap dump" : "one snapshot";
    return Phrase.of(Phrase.Tone.STRONG, subject)
        .and(
            "  Java "
                + looks.version()
                + carriers
                + ", "
                + Figures.count(virtual, "virtual thread")
                + "; "
                + apart);
  }

  private long count(boolean virtual) {
    return looks.after().threads().stream().filter(each -> each.virtual() == virtual).count();
  }

  private Block diagnosis(Diagnosis diagnosis) {
    String title = diagnosis.kind().title(answer.isSure(diagnosis));
    List<Phrase> lines = evidence(diagnosis);
    words.ends(diagnosis).forEach(line -> lines.add(Phrase.of(line)));
    return new Block.Outcomes(
        List.of(
            new Outcome(tone(diagnosis), title.toUpperCase(Locale.ROOT), diagnosis.statement())),
        lines);
  }

  /** Returns the verdict and the evidence of vtdiag's agent, which is in that JVM. */
  private static Block agentSays(ToldHang hang) {
    return new Block.Outcomes(
        List.of(
            new Outcome(
                hang.isCertain() ? Phrase.Tone.BAD : Phrase.Tone.WARNING,
                hang.title().toUpperCase(Locale.ROOT),
                hang.statement() + ", says vtdiag's agent in it")),
        // This is what the hint leads to.
        hang.evidence().stream().map(line -> Phrase.of(line.replace(Awaited.ASK, ""))).toList());
  }

  private Block asFarAsSeen(Diagnosis diagnosis) {
    List<Phrase> lines = new ArrayList<>();
    lines.add(Phrase.of("So far: " + diagnosis.verdict() + "."));
    lines.addAll(evidence(diagnosis));
    return new Block.Sentences(lines);
  }

  private List<Phrase> evidence(Diagnosis diagnosis) {
    List<Phrase> lines = new ArrayList<>();
    List<String> evidence = words.evidence(diagnosis);
    int most = detail == Detail.FULL ? evidence.size() : Math.min(FEW, evidence.size());
    evidence.subList(0, most).forEach(line -> lines.add(Phrase.of(line)));
    if (most < evidence.size()) {
      lines.add(Phrase.of(Phrase.Tone.FAINT, evidence.size() - most + " more lines; -v has them"));
    }
    return lines;
  }

  private static Phrase.Tone tone(Diagnosis diagnosis) {
    return switch (diagnosis.kind().severity()) {
      case DEADLOCK, STANDSTILL -> Phrase.Tone.BAD;
      case SUSPECTED, UNDECIDED, NOTABLE -> Phrase.Tone.WARNING;
      case FINE -> Phrase.Tone.GOOD;
    };
  }

  /** Returns the reasons why it is unknown. */
  private Block notKnown() {
    List<Phrase> lines = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    if (!answer.unseen().isEmpty()) {
      long count = answer.unseen().size();
      reasons.add(
          Figures.count(count, "thread")
              + (count == 1 ? " waits for a lock" : " wait for locks")
              + ", and nothing shows who has "
              + (count == 1 ? "it" : "them"));
      unseen(lines);
    }
    for (Diagnosis diagnosis : answer.diagnoses()) {
      if (HangAnswer.leavesOpen(diagnosis)) {
        reasons.add(diagnosis.statement());
        lines.addAll(evidence(diagnosis));
      }
    }
    reasons.addAll(looks.limits());
    keepers(lines);
    return new Block.Outcomes(
        List.of(new Outcome(Phrase.Tone.WARNING, "NOT_KNOWN", reasons.getFirst())), lines);
  }

  /** Adds what holds each carrier, which may be the whole explanation. */
  private void keepers(List<Phrase> lines) {
    List<CarriersKept.Kept> kept =
        answer.keepers().stream().map(thread -> new CarriersKept.Kept(thread, List.of())).toList();
    if (!kept.isEmpty()) {
      words
          .evidence(
              new CarriersKept.Starved(kept, 0, List.of(), CarriersKept.Starved.Deadlock.NONE))
          .forEach(line -> lines.add(Phrase.of(line)));
    }
  }

  /** Adds the places of threads that may wait for each other, or only for a slow one. */
  private void unseen(List<Phrase> lines) {
    Map<String, Long> sites = new LinkedHashMap<>();
    for (SeenThread thread : answer.unseen()) {
      sites.merge(site(thread), 1L, Long::sum);
    }
    sites.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(FEW)
        .forEach(
            each ->
                lines.add(
                    Phrase.of(Figures.count(each.getValue()) + " in ")
                        .and(Phrase.Tone.NAME, each.getKey())));
    if (sites.size() > FEW) {
      lines.add(Phrase.of(Figures.count(sites.size() - FEW, "more place")));
    }
    lines.add(
        Phrase.of(
            "They may be deadlocked, or wait for a slow thread. "
                + (looks.heap()
                    ? "A heap dump does not show who owns a monitor; with --classpath, class files"
                        + " tell what each frame has locked."
                    : "A dump does not show who owns a lock of java.util.concurrent"
                        + (looks.after().monitorsComplete() ? "" : " or, on this Java, a monitor")
                        + "; vtdiag hang --inside does, and makes the JVM print a warning.")));
  }

  private static String site(SeenThread thread) {
    return WaitWords.site(thread)
        .map(Frame::toString)
        .orElse("a place that the dump does not tell");
  }

  private void pools() {
    List<Phrase> lines = new ArrayList<>();
    for (PoolCrowd crowd : answer.pools()) {
      lines.add(
          Phrase.of(
                  Figures.count(crowd.threads(), "virtual thread")
                      + (crowd.threads() == 1 ? " waits" : " wait")
                      + " for the pool of "
                      + crowd.pool()
                      + ", asked in ")
              .and(Phrase.Tone.NAME, crowd.asked().toString()));
    }
    if (!lines.isEmpty()) {
      blocks.add(
          new Block.Sentences(
              detail == Detail.FULL ? lines : lines.subList(0, Math.min(2, lines.size()))));
    }
  }

  /** Adds all virtual threads, grouped by their stacks. */
  private void stacks() {
    Map<List<Frame>, List<SeenThread>> groups = new LinkedHashMap<>();
    for (SeenThread thread : looks.after().threads()) {
      if (thread.virtual()) {
        groups.computeIfAbsent(thread.frames(), frames -> new ArrayList<>()).add(thread);
      }
    }
    groups.entrySet().stream()
        .sorted(
            Comparator.comparingInt(
                (Map.Entry<List<Frame>, List<SeenThread>> each) -> -each.getValue().size()))
        .forEach(each -> blocks.add(stack(each.getKey(), each.getValue())));
  }

  private static Block stack(List<Frame> frames, List<SeenThread> threads) {
    SeenThread first = threads.getFirst();
    List<Phrase> lines = new ArrayList<>();
    lines.add(
        Phrase.of(
            Phrase.Tone.STRONG,
            Figures.count(threads.size(), "virtual thread")
                + ", such as #"
                + first.id()
                + (first.name().isEmpty() ? "" : " \"" + first.name() + "\"")
                + first.state().map(state -> ", " + state).orElse("")
                + (first.mount() == SeenThread.Mount.MOUNTED ? ", on a carrier" : "")
                + (frames.isEmpty() ? ", not begun yet" : "")));
    frames.stream().limit(FRAMES).forEach(frame -> lines.add(Phrase.of("at " + frame)));
    if (frames.size() > FRAMES) {
      lines.add(Phrase.of(Phrase.Tone.FAINT, frames.size() - FRAMES + " more frames"));
    }
    return new Block.Sentences(lines);
  }

  private void sentence(String text) {
    blocks.add(new Block.Sentences(List.of(Phrase.of(text))));
  }
}
