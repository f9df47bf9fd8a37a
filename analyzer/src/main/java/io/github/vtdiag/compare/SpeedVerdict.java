package io.github.vtdiag.compare;

/** The conclusions that a measured ratio allows. */
public enum SpeedVerdict {
  FASTER,
  NO_DIFFERENCE,
  SLOWER,
  NOT_ENOUGH_EVIDENCE;

  /** The factor up to which a speed-up or slow-down is no difference worth a change. */
  public static final double MARGIN = 1.05;

  /**
   * Judges by the whole interval, never by the estimate alone.
   *
   * @param speed how fast the change is as a factor: above 1 is faster
   */
  public static SpeedVerdict of(Ratio speed) {
    if (speed.low() > MARGIN) {
      return FASTER;
    }
    if (speed.high() < 1 / MARGIN) {
      return SLOWER;
    }
    return speed.low() >= 1 / MARGIN && speed.high() <= MARGIN
        ? NO_DIFFERENCE
        : NOT_ENOUGH_EVIDENCE;
  }
}
