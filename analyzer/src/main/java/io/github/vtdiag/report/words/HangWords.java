package io.github.vtdiag.report.words;

import static io.github.vtdiag.report.words.Phrase.Tone.BAD;
import static io.github.vtdiag.report.words.Phrase.Tone.STRONG;
import static io.github.vtdiag.report.words.Phrase.Tone.WARNING;

import io.github.vtdiag.analysis.Ending;
import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Hangs of the program in words; they come before everything else. */
public final class HangWords {
  /** The shortest time for which all carriers must be held: a shorter pin may end in a moment. */
  private static final long HUNG_NANOS = TimeUnit.SECONDS.toNanos(5);

  private HangWords() {}

  /** Returns whether the program hung at the end. */
  public static boolean areLasting(Findings findings) {
    return !findings.endings().isEmpty() || !findings.ongoingHangs().isEmpty();
  }

  public static List<Phrase> lines(Findings findings) {
    List<Phrase> lines = new ArrayList<>();
    boolean several = findings.recordings().size() > 1;
    for (RecordingFacts facts : findings.recordings()) {
      String subject = several ? facts.source() + ": " : "";
      List<Hang> hangs =
          findings.hangs().stream().filter(of -> of.recording().equals(facts.source())).toList();
      for (Hang hang : hangs) {
        if (hang.isOngoing()) {
          String when = facts.end() == RecordingFacts.End.LATER ? "Hung: " : "Hung when it ended: ";
          lines.add(Phrase.of(BAD, subject + when).and(STRONG, hang.verdict() + "."));
          hang.evidence().forEach(line -> lines.add(Phrase.of(line)));
          if (hang.seen().kind().known().isEmpty()) {
            lines.add(newer(hang));
          }
        }
      }
      if (hangs.stream().noneMatch(Hang::isOngoing)) {
        findings.endings().stream()
            .filter(ending -> ending.recording().equals(facts.source()))
            .map(ending -> ending(subject, ending))
            .forEach(lines::add);
      }
      Map<String, Long> ended =
          hangs.stream()
              .filter(hang -> !hang.isOngoing())
              .collect(
                  Collectors.groupingBy(Hang::verdict, LinkedHashMap::new, Collectors.counting()));
      ended.forEach(
          (verdict, times) ->
              lines.add(
                  Phrase.of(
                          WARNING,
                          subject
                              + "Stood still for a while"
                              + (times == 1 ? "" : ", " + times + " times")
                              + ": ")
                      .and(verdict + ".")));
    }
    return lines;
  }

  /**
   * Returns a note that text is missing which depends on the kind; the agent's own words are
   * complete.
   */
  private static Phrase newer(Hang hang) {
    return Phrase.of(
        WARNING,
        "This version of vtdiag does not know the kind of this hang, "
            + hang.seen().kind().wireName()
            + "; a newer agent recorded it, and a newer vtdiag says more.");
  }

  private static Phrase ending(String subject, Ending ending) {
    boolean hung = ending.nanos() >= HUNG_NANOS;
    return Phrase.of(
            hung ? BAD : WARNING, subject + (hung ? "Hung when it ended: " : "When it ended, "))
        .and(
            STRONG,
            Figures.allCarriers(ending.carriers())
                + " had been pinned for "
                + Figures.duration(ending.nanos())
                + ", with "
                + Figures.count(ending.queued(), "virtual thread")
                + " queued.");
  }
}
