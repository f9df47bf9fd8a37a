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
    POOL,
    SEMAPHORE,
    LOCK,
    MONITOR,
    FULL_QUEUE,
    SIGNAL,
    FUTURE,
    /** An answer from the network to what the thread has asked. */
    ANSWER,
    /** Something from the network; an answer, or a request that nobody has made yet. */
    DATA,
    SLEEP,
    /** Something to do. */
    IDLE,
    UNKNOWN
  }
}
