package io.github.vtdiag.findings;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;

/** Whether the carriers were short, and of what a share of their time is a large one. */
final class CarrierTime {
  /** A part of all carrier time that is worth a word. */
  private static final double LARGE = 0.1;

  /** So much of the time in which threads queue is more than a moment. */
  private static final double LASTS = 0.05;

  private static final double HALF = 0.5;

  private final Account account;

  private final double capacity;

  /**
   * @param carriers how many there should be; the JDK may add some
   */
  CarrierTime(Account account, int carriers) {
    this.account = account;
    capacity = (double) account.spanNanos() * carriers;
  }

  boolean isLarge(double carrierNanos) {
    return capacity > 0 && carrierNanos >= LARGE * capacity;
  }

  /** The most threads that waited for a carrier at a moment. */
  long mostQueued() {
    return account.queue().map(Account.CarrierQueue::most).orElse(0L);
  }

  /** Whether threads waited for a carrier, and not for a moment only. */
  boolean isShort() {
    return account.saturation().filter(this::lasts).isPresent();
  }

  /** Whether they did, and the carriers were mostly at this then. */
  boolean isShortFor(Use use) {
    return account
        .saturation()
        .filter(this::lasts)
        .filter(rush -> rush.part(use) >= HALF)
        .isPresent();
  }

  private boolean lasts(Account.Saturation rush) {
    return rush.lastingNanos() >= LASTS * account.spanNanos();
  }

  long span() {
    return account.spanNanos();
  }
}
