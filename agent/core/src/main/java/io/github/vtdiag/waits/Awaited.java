package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import java.util.Optional;

/**
 * What a stack waits for.
 *
 * @param subject its name, for people
 * @param inside the method that waits
 */
public record Awaited(Kind kind, String subject, Optional<Frame> inside) {
  /** The sorts of wait. */
  public enum Kind {
    POOL(true),
    SEMAPHORE(true),
    LOCK(true),
    MONITOR(true),
    FULL_QUEUE(true),
    SIGNAL,
    FUTURE,
    /** An answer from the network to what the thread has asked. */
    ANSWER,
    /** Something from the network; an answer, or a request that nobody has made yet. */
    DATA,
    SLEEP,
    /** Something to do. */
    IDLE,
    UNKNOWN;

    private final boolean scarce;

    Kind() {
      this(false);
    }

    Kind(boolean scarce) {
      this.scarce = scarce;
    }

    /** Whether there is only so much of it that threads have to wait for each other. */
    public boolean isScarce() {
      return scarce;
    }
  }
}
