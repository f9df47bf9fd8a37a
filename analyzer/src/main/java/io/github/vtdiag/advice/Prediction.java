package io.github.vtdiag.advice;

/** What a model says of the throughput afterwards; a prediction, never a measurement. */
public sealed interface Prediction {

  /**
   * Passes through the pinned section, each second.
   *
   * @param now what was recorded
   * @param least what the model expects at least
   * @param most what the model allows at most
   * @param assumption what the range rests on, one clause
   */
  record Range(double now, double least, double most, String assumption) implements Prediction {}

  /** The recording does not tell enough. */
  record None(String why) implements Prediction {}
}
