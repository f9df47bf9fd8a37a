package io.github.vtdiag.pin;

import io.github.vtdiag.account.CarrierSample;

/** Reads a {@link CarrierSample} from the event of the watch. */
final class CarrierSampleFields {
  private CarrierSampleFields() {}

  /** Returns the sample; {@link CarrierSample#NOTHING} if the watch sampled no carriers. */
  static CarrierSample of(EventValues event) {
    long capacity = event.number("carrierTime");
    return capacity == 0
        ? CarrierSample.NOTHING
        : new CarrierSample(
            event.startNanos(),
            event.number("span"),
            capacity,
            event.number("idleTime"),
            event.number("javaTime"),
            event.number("nativeTime"),
            event.number("waitingTime"),
            event.number("blockedTime"),
            event.number("unseenTime"),
            event.number("processorTime"),
            event.number("carrierLooks"),
            event.number("queuedTime"),
            event.number("mostQueued"),
            event.number("someQueued"),
            new CarrierSample.Saturation(
                event.number("rushTime"),
                event.number("rushJava"),
                event.number("rushNative"),
                event.number("rushWaiting"),
                event.number("rushBlocked")));
  }
}
