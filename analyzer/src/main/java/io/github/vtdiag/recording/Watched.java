package io.github.vtdiag.recording;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.pin.OtherCarriers;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the agent's watch over the carriers saw of a recording.
 *
 * @param thresholdNanos it sees that a shorter wait was not over when the recording ended only if
 *     it had lasted so long
 * @param nativeNanos a shorter wait in native code it does not tell
 * @param blindNanos the time in which it could not look
 * @param exitNanos when it looked for the last time because the program was about to end; empty if
 *     the recording does not go that far
 * @param looks what it saw, about once a second, in their order
 * @param looked what the carriers were at meanwhile; empty where an older agent looked
 * @param elsewhereNanos the time of the carriers of other schedulers, which no look tells the use
 *     of
 * @param others the carriers of other schedulers than the JDK's, which all the rest leaves out
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
   * One look at the carriers.
   *
   * @param carriers how many there were; 0 as long as no virtual thread had run
   * @param kept how many were kept by a thread that waited for the threshold or longer
   * @param idle how many did nothing since the look before
   * @param queued how many virtual threads waited for a carrier
   */
  public record Sample(long atNanos, int carriers, int kept, int idle, long queued) {}

  public Watched {
    looks = List.copyOf(looks);
    looked = List.copyOf(looked);
  }

  /** What it saw last. */
  public Sample last() {
    return looks.getLast();
  }
}
