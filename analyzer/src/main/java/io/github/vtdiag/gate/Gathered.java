package io.github.vtdiag.gate;

import java.util.OptionalDouble;

/**
 * What is known of many recordings together, without the recordings: what {@link Measures} make
 * figures of for a fleet. What one of them does not tell is empty.
 *
 * @param count the pins
 * @param totalNanos how long these took together
 * @param longestNanos the longest
 * @param durationNanos how long the recordings are
 * @param capacityNanos the carrier time there was
 * @param queue how many threads waited for a carrier, on average
 * @param monopolized the share of the time in which threads waited while all carriers computed
 * @param idle the share of the carrier time that was idle
 * @param longestWaitNanos the longest wait for another thread at the end
 */
public record Gathered(
    long count,
    long totalNanos,
    long longestNanos,
    long durationNanos,
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
