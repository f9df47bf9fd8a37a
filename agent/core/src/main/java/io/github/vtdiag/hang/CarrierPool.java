package io.github.vtdiag.hang;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The carriers of a scheduler.
 *
 * @param parallelism the number of carriers that the scheduler aims at; empty if it is unknown
 * @param carriers the number of carriers, without idle ones that the scheduler does not use
 * @param queued the number of virtual threads that wait for a carrier
 */
public record CarrierPool(OptionalInt parallelism, OptionalInt carriers, OptionalLong queued) {
  public static final CarrierPool NOT_KNOWN =
      new CarrierPool(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty());
}
