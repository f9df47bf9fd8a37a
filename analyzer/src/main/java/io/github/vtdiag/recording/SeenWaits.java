package io.github.vtdiag.recording;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.waits.LongWait;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What the agent saw of virtual threads that wait without a carrier, of which JFR has no event.
 *
 * @param looks the looks, in the order of their time
 * @param crowds by the number of the look, the threads at one place each
 * @param atEnd the threads that had not run for some seconds at the last look
 * @param stacks by their numbers
 * @param pools what the pools said of themselves, at each look that saw threads wait for one
 */
public record SeenWaits(
    List<WaitLook> looks,
    Map<Long, List<WaitCrowd>> crowds,
    List<LongWait> atEnd,
    Map<Integer, StackTrace> stacks,
    List<SeenPool> pools) {
  /** Nobody looked. */
  public static final SeenWaits NONE =
      new SeenWaits(List.of(), Map.of(), List.of(), Map.of(), List.of());

  public SeenWaits {
    looks = List.copyOf(looks);
    crowds = Map.copyOf(crowds);
    atEnd = List.copyOf(atEnd);
    stacks = Map.copyOf(stacks);
    pools = List.copyOf(pools);
  }

  /** The same with other stacks. */
  SeenWaits withStacks(UnaryOperator<StackTrace> by) {
    Map<Integer, StackTrace> other = new HashMap<>();
    stacks.forEach((number, stack) -> other.put(number, by.apply(stack)));
    return new SeenWaits(looks, crowds, atEnd, other, pools);
  }
}
