package io.github.vtdiag.report.words;

import io.github.vtdiag.analysis.Cost;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.Tolerance.Figure;
import io.github.vtdiag.baseline.WholeChange;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.words.Phrase.Tone;
import java.util.Locale;
import java.util.stream.Collectors;

/** A finding's change from one run to another in words. */
public final class ChangeWords {
  private ChangeWords() {}

  /**
   * Returns {@code new: com.example.Db.execute, waits to enter a monitor, 12 pins, longest 80 ms}.
   */
  public static Phrase line(Difference difference, Change change) {
    return Phrase.of(tone(change.kind()), word(difference, change))
        .and(": ")
        .and(Tone.NAME, change.title())
        .and(number(change) + kind(change) + ", " + figures(difference, change));
  }

  private static String word(Difference difference, Change change) {
    return change.dueToWork()
        ? difference.whole().orElseThrow().moreWork() > 1 ? "more work" : "less work"
        : change.kind().name().toLowerCase(Locale.ROOT);
  }

  static Tone tone(Change.Kind kind) {
    return switch (kind) {
      case NEW, WORSE -> Tone.BAD;
      case GONE, BETTER -> Tone.GOOD;
      case SAME -> Tone.PLAIN;
    };
  }

  /** Returns the number that distinguishes the finding from others with the same title. */
  private static String number(Change change) {
    int number = change.identity().number();
    return number == 1 ? "" : " (#" + number + ")";
  }

  /** Threads inside a lock and threads that wait for it are two findings of one place. */
  private static String kind(Change change) {
    String title = PinKind.title(change.identity());
    return title.isEmpty() ? "" : ", " + title;
  }

  private static String figures(Difference difference, Change change) {
    return switch (change.kind()) {
      case NEW -> cost(change.after().orElseThrow().cost()) + beside(difference);
      case SAME ->
          change.dueToWork()
              ? moved(difference, change)
                  + ", as "
                  + WholeWords.times(difference.whole().orElseThrow())
                  + " the work passes through"
              : cost(change.after().orElseThrow().cost());
      case GONE -> cost(change.before().orElseThrow().cost());
      case WORSE -> moved(difference, change) + beside(difference);
      case BETTER -> moved(difference, change);
    };
  }

  /**
   * Returns the reason why a site can be worse in a better run: more threads at a time also wait
   * for each other there.
   */
  private static String beside(Difference difference) {
    return difference.wholeVerdict() == WholeChange.Verdict.BETTER
            && difference.whole().orElseThrow().moreWork() > 1
        ? "; " + WholeWords.times(difference.whole().get()) + " the work may have brought it"
        : "";
  }

  private static String cost(Cost cost) {
    return Figures.count(cost.count(), "pin")
        + ", longest "
        + Figures.duration(cost.longestNanos());
  }

  private static String moved(Difference difference, Change change) {
    Cost before = change.before().orElseThrow().cost();
    Cost after = change.after().orElseThrow().cost();
    return change.in().stream()
        .map(
            figure -> {
              String moved =
                  figure.text()
                      + " "
                      + value(figure, figure.of(before), figure.of(after))
                      + " -> "
                      + value(figure, figure.of(after), figure.of(before));
              return switch (change.kind()) {
                case WORSE ->
                    moved
                        + " (up to "
                        + value(
                            figure,
                            difference.tolerance().most(figure, before, difference.length()),
                            figure.of(after))
                        + " may be chance)";
                case BETTER, NEW, SAME, GONE -> moved;
              };
            })
        .collect(Collectors.joining(", "));
  }

  private static String value(Figure figure, long value, long beside) {
    return switch (figure) {
      case LONGEST, MEDIAN -> Figures.durationBeside(value, beside);
      case COUNT -> Figures.count(value);
    };
  }
}
