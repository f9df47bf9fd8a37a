package io.github.vtdiag.report.format;

import io.github.vtdiag.live.TopSample.CarrierRow;
import io.github.vtdiag.live.TopSample.Carrying;
import java.util.Comparator;

/**
 * The view that a user has chosen of a running JVM.
 *
 * @param width the number of columns
 * @param height the number of lines; 0 for no limit
 * @param skipped the number of carriers above the first one that is shown
 * @param filter what the lines of carriers and findings must contain, ignoring case; empty for all
 * @param unicode whether bars can use Unicode block characters
 */
public record TopView(
    int width, int height, Sort sort, int skipped, String filter, boolean unicode) {
  /** The width below which only the essentials are shown. */
  private static final int NARROW = 60;

  boolean isNarrow() {
    return width < NARROW;
  }

  /** The order of the carriers. */
  public enum Sort {
    NUMBER("carrier"),
    TIME("time"),
    PROCESSOR("CPU");

    private final String text;

    Sort(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }

    Comparator<CarrierRow> order() {
      return switch (this) {
        case NUMBER -> Comparator.comparingLong(CarrierRow::id);
        case TIME ->
            Comparator.<CarrierRow>comparingLong(
                    row -> row.carrying().map(Carrying::nanos).orElse(-1L))
                .reversed();
        case PROCESSOR ->
            Comparator.<CarrierRow>comparingDouble(row -> row.busy().orElse(-1)).reversed();
      };
    }

    public Sort next() {
      return switch (this) {
        case NUMBER -> TIME;
        case TIME -> PROCESSOR;
        case PROCESSOR -> NUMBER;
      };
    }
  }
}
