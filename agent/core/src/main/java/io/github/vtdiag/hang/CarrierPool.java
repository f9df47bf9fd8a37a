package io.github.vtdiag.hang;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The threads that carry virtual threads.
 *
 * @param parallelism how many the scheduler wants to run at a time; empty if that is not known
 * @param maxPoolSize how many there can be, with those that stand in for blocked ones
 * @param carriers how many there are
 * @param queued how many virtual threads wait for one
 */
public record CarrierPool(
    OptionalInt parallelism, OptionalInt maxPoolSize, OptionalInt carriers, OptionalLong queued) {
  public static final CarrierPool NOT_KNOWN =
      new CarrierPool(
          OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty());
}
