package io.github.vtdiag.locksite;

import io.github.vtdiag.model.LoopTarget;
import java.util.Set;

/**
 * A loop that gives up its turn until another thread has changed what it reads.
 *
 * @param reads the fields that it reads: numbers, flags and atomic variables if there are any
 * @param yields whether it calls {@code Thread.yield}, which takes a virtual thread off its carrier
 *     unless it is pinned; {@code Thread.onSpinWait} never does
 */
public record TurnLoop(Set<LoopTarget> reads, boolean yields) {
  public TurnLoop {
    reads = Set.copyOf(reads);
  }
}
