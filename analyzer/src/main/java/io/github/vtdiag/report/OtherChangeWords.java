package io.github.vtdiag.report;

import static io.github.vtdiag.report.Phrase.Tone.NAME;

import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.OtherChange;
import io.github.vtdiag.baseline.SeenOther;
import io.github.vtdiag.model.Figures;
import java.util.Locale;

/** What became of what is no pin, from one run to another, in words. */
final class OtherChangeWords {
  private static final double MEGABYTE = 1e6;

  private OtherChangeWords() {}

  /**
   * {@code new: waiting for a pool: HikariCP in com.example.Orders.find, 490 threads at a time}.
   */
  static Phrase line(Difference difference, OtherChange change) {
    SeenOther seen = change.seen();
    Phrase line =
        Phrase.of(ChangeWords.tone(change.kind()), change.kind().name().toLowerCase(Locale.ROOT))
            .and(": " + seen.kind().map(OtherWords::name).orElse("hung") + ": ")
            .and(seen.subject());
    if (!seen.place().isEmpty()) {
      line = line.and(" in ").and(NAME, seen.place());
    }
    if (seen.kind().isPresent()) {
      return line.and(", " + figures(difference, change));
    }
    // Of recordings of an older agent, and of old baselines.
    return seen.place().isEmpty() ? line.and(" (known by its kind alone)") : line;
  }

  private static String figures(Difference difference, OtherChange change) {
    return switch (change.kind()) {
      case NEW, SAME, GONE -> with(change.seen().unit(), value(change.seen()));
      case WORSE, BETTER -> {
        SeenOther before = change.before().orElseThrow();
        SeenOther after = change.after().orElseThrow();
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

  private static String value(SeenOther seen) {
    return value(seen.unit(), seen.figure());
  }

  private static String value(SeenOther.Unit unit, double figure) {
    return switch (unit) {
      case THREADS, CARRIERS ->
          figure >= 10
              ? Figures.count(Math.round(figure))
              : String.format(Locale.ROOT, "%.1f", figure);
      case BYTES -> Figures.count(Math.round(figure / MEGABYTE));
      case COUNT -> Figures.count(Math.round(figure));
    };
  }

  private static String with(SeenOther.Unit unit, String value) {
    return switch (unit) {
      case THREADS -> value + " threads at a time";
      case CARRIERS -> value + " carriers at a time";
      case BYTES -> value + " MB a second";
      case COUNT -> value + " threads";
    };
  }
}
