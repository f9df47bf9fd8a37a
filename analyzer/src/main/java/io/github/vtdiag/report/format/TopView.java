package io.github.vtdiag.report.format;

import io.github.vtdiag.live.TopSample.CarrierRow;
import io.github.vtdiag.live.TopSample.Carrying;
import java.util.Comparator;

/**
 * How somebody wants to see a running JVM.
 *
 * @param width the columns there are
 * @param height the lines there are; 0 if there is no end to them
 * @param skipped how many carriers are above the first one that is shown
 * @param filter what the lines of carriers and findings must contain, in any case; empty for all
 * @param unicode whether bars can be drawn with the characters made for that
 */
public record TopView(
    int width, int height, Sort sort, int skipped, String filter, boolean unicode) {
  /** Below, there is room for the least only. */
  private static final int NARROW = 60;

  boolean isNarrow() {
    return width < NARROW;
  }

  /** In which order the carriers stand. */
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
