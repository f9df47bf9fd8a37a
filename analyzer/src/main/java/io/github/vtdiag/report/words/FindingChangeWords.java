package io.github.vtdiag.report.words;

import static io.github.vtdiag.report.words.Phrase.Tone.NAME;

import io.github.vtdiag.baseline.BaselineFinding;
import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.FindingChange;
import io.github.vtdiag.model.Figures;
import java.util.Locale;

/** The change of a wait, misuse or hang from one run to another in words. */
public final class FindingChangeWords {
  private static final double MEGABYTE = 1e6;

  private FindingChangeWords() {}

  /**
   * Returns {@code new: waiting for a pool: HikariCP in com.example.Orders.find, 490 threads at a
   * time}.
   */
  public static Phrase line(Difference difference, FindingChange change) {
    BaselineFinding seen = change.seen();
    Phrase line =
        Phrase.of(ChangeWords.tone(change.kind()), change.kind().name().toLowerCase(Locale.ROOT))
            .and(": " + subject(seen));
    if (!seen.place().isEmpty()) {
      line = line.and(seen.isHang() ? "; at " : " in ").and(NAME, seen.place());
    }
    if (!seen.isHang()) {
      return line.and(", " + figures(difference, change));
    }
    // There is no place in recordings of an older agent, and in old baselines.
    return seen.place().isEmpty() ? line.and(" (known by its kind alone)") : line;
  }

  /** Returns what it is about; a monitor of which no more is known is named once. */
  private static String subject(BaselineFinding seen) {
    String title = seen.kind().title();
    return title.endsWith(" " + seen.subject()) ? title : title + ": " + seen.subject();
  }

  private static String figures(Difference difference, FindingChange change) {
    return switch (change.kind()) {
      case NEW, SAME, GONE -> with(change.seen().unit(), value(change.seen()));
      case WORSE, BETTER -> {
        BaselineFinding before = change.before().orElseThrow();
        BaselineFinding after = change.after().orElseThrow();
        String moved = with(after.unit(), value(before) + " -> " + value(after));
        yield change.kind() == Change.Kind.WORSE
            ? moved
                + " (up to "
                + value(after.unit(), difference.tolerance().most(after.unit(), before.figure()))
                + " may be chance)"
            : moved;
      }
    };
  }

  private static String value(BaselineFinding seen) {
    return value(seen.unit(), seen.figure());
  }

  private static String value(BaselineFinding.Unit unit, double figure) {
    return switch (unit) {
      case THREADS, CARRIERS -> Figures.mean(figure);
      case BYTES -> Figures.count(Math.round(figure / MEGABYTE));
      case COUNT -> Figures.count(Math.round(figure));
    };
  }

  private static String with(BaselineFinding.Unit unit, String value) {
    return switch (unit) {
      case THREADS -> value + " threads at a time";
      case CARRIERS -> value + " carriers at a time";
      case BYTES -> value + " MB a second";
      case COUNT -> value + " threads";
    };
  }
}
