package io.github.vtdiag.recording;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import io.github.vtdiag.waits.LongWait;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The virtual threads that the agent saw waiting without a carrier; JFR has no event for them.
 *
 * @param looks the snapshots, in the order of their time
 * @param crowds by the number of the snapshot, the threads at one place each
 * @param atEnd the threads that had not run for some seconds at the last snapshot
 * @param stacks by their numbers
 * @param lent the numbers of the stacks whose threads wait at a queue that is a pool
 * @param pools the state of the pools, at each snapshot in which threads waited for one
 */
public record SeenWaits(
    List<WaitLook> looks,
    Map<Long, List<WaitCrowd>> crowds,
    List<LongWait> atEnd,
    Map<Integer, StackTrace> stacks,
    Set<Integer> lent,
    List<SeenPool> pools) {
  /** The value without snapshots. */
  public static final SeenWaits NONE =
      new SeenWaits(List.of(), Map.of(), List.of(), Map.of(), Set.of(), List.of());

  public SeenWaits {
    looks = List.copyOf(looks);
    crowds = Map.copyOf(crowds);
    atEnd = List.copyOf(atEnd);
    stacks = Map.copyOf(stacks);
    lent = Set.copyOf(lent);
    pools = List.copyOf(pools);
  }

  /** Returns the stack of that number; empty if the recording does not have it. */
  public Optional<WaitStack> stack(int number) {
    return Optional.ofNullable(stacks.get(number))
        .map(stack -> new WaitStack(number, stack, lent.contains(number)));
  }

  /** Returns the same with other stacks. */
  SeenWaits withStacks(UnaryOperator<StackTrace> by) {
    Map<Integer, StackTrace> other = new HashMap<>();
    stacks.forEach((number, stack) -> other.put(number, by.apply(stack)));
    return new SeenWaits(looks, crowds, atEnd, other, lent, pools);
  }
}
