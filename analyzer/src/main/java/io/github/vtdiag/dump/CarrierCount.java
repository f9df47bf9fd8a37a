package io.github.vtdiag.dump;

import io.github.vtdiag.hang.OtherScheduler;
import io.github.vtdiag.hang.SeenThread;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Counts the carriers: the workers of the pool in which one carries a virtual thread. Other threads
 * that carry one belong to another scheduler.
 */
final class CarrierCount {
  private final Map<String, Integer> workers = new HashMap<>();
  private final Set<String> schedulers = new HashSet<>();

  /** The threads that carry a virtual thread and are not workers of such a pool. */
  private final Map<Long, String> names = new HashMap<>();

  private boolean statesSeen;

  void add(DumpedThread thread) {
    statesSeen |= thread.state().isPresent();
    if (thread.container().startsWith("ForkJoinPool") && thread.name().contains("-worker-")) {
      workers.merge(thread.container(), 1, Integer::sum);
      if (thread.runs("java.lang.VirtualThread", "runContinuation")) {
        schedulers.add(thread.container());
      }
    } else if (thread.runs("java.lang.VirtualThread", "runContinuation")) {
      names.put(thread.id(), thread.name());
    }
  }

  /** Returns the number of carriers; empty if none carries any thread. */
  OptionalInt count() {
    return schedulers.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(schedulers.stream().mapToInt(workers::get).sum());
  }

  /**
   * Returns the other schedulers, as one: dumps do not tell which executor a carrier belongs to.
   */
  List<OtherScheduler> others(List<SeenThread> threads) {
    List<SeenThread> elsewhere =
        threads.stream()
            .filter(
                thread ->
                    thread.virtual()
                        && thread.carrier().isPresent()
                        && names.containsKey(thread.carrier().getAsLong()))
            .toList();
    return elsewhere.isEmpty()
        ? List.of()
        : List.of(
            new OtherScheduler(
                OtherScheduler.names(
                    elsewhere.stream().map(thread -> names.get(thread.carrier().getAsLong()))),
                elsewhere.stream().map(SeenThread::id).collect(Collectors.toSet()),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalLong.empty()));
  }

  /** Returns whether some thread of the dump had a state. */
  boolean statesSeen() {
    return statesSeen;
  }
}
