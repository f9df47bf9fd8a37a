package io.github.vtdiag.compare;

/**
 * The prediction of {@code vtdiag advise} for the change, from recordings of the application as it
 * is.
 */
public sealed interface Forecast {

  /**
   * Passes through a pinned section afterwards, as a multiple of those before.
   *
   * @param place the section
   * @param change what is done about it, as a clause
   * @param assumption on which the range rests, one clause
   */
  record Times(String place, String change, double least, double most, String assumption)
      implements Forecast {

    /** Returns whether the measured interval and the predicted range overlap. */
    public boolean overlaps(Ratio measured) {
      return !isAbove(measured) && !isBelow(measured);
    }

    /** Returns whether the prediction is above the whole measured interval. */
    public boolean isAbove(Ratio measured) {
      return least > measured.high();
    }

    /** Returns whether the prediction is below the whole measured interval. */
    public boolean isBelow(Ratio measured) {
      return most < measured.low();
    }
  }

  /** There is no prediction. */
  record None(String why) implements Forecast {}
}
