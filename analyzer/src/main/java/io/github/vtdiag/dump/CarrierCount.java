package io.github.vtdiag.dump;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** How many carriers there are: the workers of the pool in which one carries a virtual thread. */
final class CarrierCount {
  private final Map<String, Integer> workers = new HashMap<>();
  private final Set<String> schedulers = new HashSet<>();
  private boolean statesSeen;

  void add(DumpedThread thread) {
    statesSeen |= thread.state().isPresent();
    if (thread.container().startsWith("ForkJoinPool") && thread.name().contains("-worker-")) {
      workers.merge(thread.container(), 1, Integer::sum);
      if (thread.runs("java.lang.VirtualThread", "runContinuation")) {
        schedulers.add(thread.container());
      }
    }
  }

  /** Empty if none carries any. */
  OptionalInt count() {
    return schedulers.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(schedulers.stream().mapToInt(workers::get).sum());
  }

  /** Whether some thread of the dump had a state. */
  boolean statesSeen() {
    return statesSeen;
  }
}
