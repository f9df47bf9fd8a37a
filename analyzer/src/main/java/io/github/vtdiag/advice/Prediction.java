package io.github.vtdiag.advice;

/** The throughput after a change according to a model; a prediction, never a measurement. */
public sealed interface Prediction {

  /**
   * A range of passes through the pinned section per second.
   *
   * @param now the recorded rate
   * @param least the least that the model expects
   * @param most the most that the model allows
   * @param assumption the assumption of the range, one clause
   */
  record Range(double now, double least, double most, String assumption) implements Prediction {}

  /** No prediction: the recording does not show enough. */
  record None(String why) implements Prediction {}
}
