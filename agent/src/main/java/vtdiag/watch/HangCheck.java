package vtdiag.watch;

import java.util.List;
import java.util.Optional;

/** Looks for hangs that a single carrier does not show; runs on the watch's own thread. */
@FunctionalInterface
public interface HangCheck {
  /** Finds nothing. */
  HangCheck NONE = (carriers, queued) -> Long.MAX_VALUE;

  /**
   * A carrier at the last look.
   *
   * @param thread the carrier
   * @param carries the virtual thread that it carries
   * @param keptNanos how long that thread has waited without leaving it; 0 if it does not
   */
  record CarrierNow(Thread thread, Optional<Thread> carries, long keptNanos) {}

  /**
   * Looks once. While it does, nobody looks at the carriers, so it should be quick.
   *
   * @param carriers all of them
   * @param queued how many virtual threads wait for one
   * @return after how many nanoseconds it wants to be called again
   */
  long check(List<CarrierNow> carriers, long queued);
}
