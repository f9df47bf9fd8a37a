package io.github.vtdiag.gate;

import java.util.OptionalDouble;

/**
 * The sums of many recordings, without the recordings: from them {@link Measures} compute the
 * figures of a fleet. What one of the recordings does not tell is empty.
 *
 * @param count the number of pins
 * @param totalNanos the time of all pins
 * @param longestNanos the time of the longest pin
 * @param durationNanos the length of the recordings, which can be more than a long has
 * @param capacityNanos the carrier time there was
 * @param queue the number of threads that waited for a carrier, on average
 * @param monopolized the share of the time in which threads waited while all carriers computed
 * @param idle the share of the carrier time that was idle
 * @param longestWaitNanos the longest wait for another thread at the end
 */
public record Gathered(
    long count,
    long totalNanos,
    long longestNanos,
    double durationNanos,
    OptionalDouble capacityNanos,
    OptionalDouble queue,
    OptionalDouble monopolized,
    OptionalDouble idle,
    OptionalDouble longestWaitNanos) {
  private static final double MINUTE = 60e9;

  OptionalDouble rate() {
    return durationNanos > 0
        ? OptionalDouble.of(count / (durationNanos / MINUTE))
        : OptionalDouble.empty();
  }

  OptionalDouble shareOfCapacity() {
    return capacityNanos.orElse(0) > 0
        ? OptionalDouble.of(totalNanos / capacityNanos.getAsDouble())
        : OptionalDouble.empty();
  }
}
