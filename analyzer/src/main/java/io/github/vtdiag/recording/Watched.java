package io.github.vtdiag.recording;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.pin.OtherCarriers;
import java.util.List;
import java.util.OptionalLong;

/**
 * The observations of the agent's watch over the carriers.
 *
 * @param thresholdNanos the length from which the watch sees that a wait was not over when the
 *     recording ended
 * @param nativeNanos the length from which it records a wait in native code
 * @param blindNanos the time in which it could not run
 * @param exitNanos when it ran for the last time because the program was about to end; empty if the
 *     recording does not go that far
 * @param looks its samples, about once a second, in their order
 * @param looked the carriers' uses meanwhile; empty from older agents
 * @param elsewhereNanos the time of the carriers of other schedulers, whose use no sample shows
 * @param others the carriers of other schedulers than the JDK's, which all other fields leave out
 */
public record Watched(
    long thresholdNanos,
    long nativeNanos,
    long blindNanos,
    OptionalLong exitNanos,
    List<Sample> looks,
    List<CarrierSample> looked,
    long elsewhereNanos,
    OtherCarriers others) {

  /**
   * One sample of the carriers.
   *
   * @param carriers the number of carriers; 0 as long as no virtual thread had run
   * @param kept the number of carriers whose thread waited for the threshold or longer
   * @param idle the number of carriers that did nothing since the previous sample
   * @param queued the number of virtual threads that waited for a carrier
   */
  public record Sample(long atNanos, int carriers, int kept, int idle, long queued) {}

  public Watched {
    looks = List.copyOf(looks);
    looked = List.copyOf(looked);
  }

  /** Returns its last sample. */
  public Sample last() {
    return looks.getLast();
  }
}
