package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LoopTarget;
import java.util.Optional;
import java.util.Set;

/**
 * A loop in which a thread waits for another one without unmounting.
 *
 * @param at the place of the loop
 * @param targets the things that it reads or tries
 * @param ender a thread without a carrier that writes one of them; empty if none is seen
 * @param yields whether it calls {@code Thread.yield}, so that only a pinned thread keeps its
 *     carrier
 */
public record BusyWait(
    Frame at, Set<LoopTarget> targets, Optional<SeenThread> ender, boolean yields) {
  public BusyWait {
    targets = Set.copyOf(targets);
  }
}
