package io.github.vtdiag.findings;

import io.github.vtdiag.model.Frame;
import java.util.Optional;

/**
 * What a stack waits for.
 *
 * @param subject its name, for people
 * @param inside the method that waits
 */
record Awaited(Kind kind, String subject, Optional<Frame> inside) {
  /** The sorts of wait; of some a crowd of threads is a finding. */
  enum Kind {
    POOL(WaitKind.POOL),
    SEMAPHORE(WaitKind.SEMAPHORE),
    LOCK(WaitKind.LOCK),
    MONITOR(WaitKind.MONITOR),
    FULL_QUEUE(WaitKind.FULL_QUEUE),
    SIGNAL(WaitKind.SIGNAL),
    FUTURE(WaitKind.FUTURE),
    /** An answer from the network to what the thread has asked. */
    ANSWER(WaitKind.REMOTE),
    /** Something from the network; an answer, or a request that nobody has made yet. */
    DATA(WaitKind.REMOTE),
    SLEEP,
    /** Something to do. */
    IDLE,
    UNKNOWN;

    private final Optional<WaitKind> finding;

    Kind() {
      finding = Optional.empty();
    }

    Kind(WaitKind finding) {
      this.finding = Optional.of(finding);
    }

    Optional<WaitKind> finding() {
      return finding;
    }
  }
}
