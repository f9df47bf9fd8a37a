package io.github.vtdiag.findings;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;

/**
 * The carriers' time: whether carriers were short, and how large a share of their time something
 * takes.
 */
final class CarrierTime {
  /** The least part of all carrier time that counts as large. */
  private static final double LARGE = 0.1;

  /** The least part of the recording's time for which a saturation lasts; less is a moment. */
  private static final double LASTS = 0.05;

  private static final double HALF = 0.5;

  private final Account account;

  private final double capacity;

  /**
   * @param carriers the configured number of carriers; the JDK may add some
   */
  CarrierTime(Account account, int carriers) {
    this.account = account;
    capacity = (double) account.spanNanos() * carriers;
  }

  boolean isLarge(double carrierNanos) {
    return capacity > 0 && carrierNanos >= LARGE * capacity;
  }

  /** Returns the most threads that were queued at a moment. */
  long mostQueued() {
    return account.queue().map(Account.CarrierQueue::most).orElse(0L);
  }

  /** Returns whether threads were queued for more than a moment. */
  boolean isShort() {
    return account.saturation().filter(this::lasts).isPresent();
  }

  /** Returns whether threads were queued, and the carriers were mostly in this use then. */
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
