package io.github.vtdiag.hang;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The carriers of a scheduler.
 *
 * @param parallelism the number of carriers that the scheduler aims at; empty if it is unknown
 * @param carriers the number of carriers, without idle ones that the scheduler does not use
 * @param queued the number of virtual threads that wait for a carrier
 * @param activity what the carriers do; empty if it is unknown
 */
public record CarrierPool(
    OptionalInt parallelism,
    OptionalInt carriers,
    OptionalLong queued,
    Optional<Activity> activity) {
  public static final CarrierPool NOT_KNOWN =
      new CarrierPool(
          OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty(), Optional.empty());

  /**
   * The work of the carriers.
   *
   * @param occupied the number of them that do not wait for work
   * @param mounts the number of times that they have mounted a virtual thread so far
   */
  public record Activity(int occupied, long mounts) {}

  /** Returns how many further carriers could run virtual threads; 0 if it is unknown. */
  int free() {
    return activity.map(now -> Math.max(0, parallelism.orElse(0) - now.occupied())).orElse(0);
  }

  /** Returns whether no carrier has mounted a virtual thread since; false if it is unknown. */
  boolean hasMountedNoneSince(CarrierPool before) {
    return activity.isPresent()
        && before.activity.isPresent()
        && activity.get().mounts() == before.activity.get().mounts();
  }
}
