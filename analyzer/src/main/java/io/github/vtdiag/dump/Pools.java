package io.github.vtdiag.dump;

import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.waits.KnownPools;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the threads that wait for objects of known pools. */
final class Pools {
  private record Key(String pool, Frame asked) {}

  private Pools() {}

  /**
   * Returns the pools for which threads wait, and from where; the one with the most threads first.
   */
  static List<PoolCrowd> crowds(List<SeenThread> threads) {
    Map<Key, Long> counts = new LinkedHashMap<>();
    Map<List<Frame>, Optional<Key>> known = new HashMap<>();
    for (SeenThread thread : threads) {
      if (thread.virtual() && waits(thread)) {
        known
            .computeIfAbsent(thread.frames(), Pools::key)
            .ifPresent(key -> counts.merge(key, 1L, Long::sum));
      }
    }
    return counts.entrySet().stream()
        .map(each -> new PoolCrowd(each.getKey().pool(), each.getKey().asked(), each.getValue()))
        .sorted(Comparator.comparingLong(crowd -> -crowd.threads()))
        .toList();
  }

  private static boolean waits(SeenThread thread) {
    return switch (thread.waitsFor()) {
      case ThreadWait.Park park -> true;
      case ThreadWait.ObjectWait object -> true;
      case ThreadWait.Sleep sleep -> true;
      case ThreadWait.MonitorEntry entry -> KnownPools.isInObjectWait(thread.frames());
      case ThreadWait.Nothing nothing -> false;
      case ThreadWait.ClassInitialization awaited -> false;
      case ThreadWait.NativeCode code -> false;
      case ThreadWait.NotKnown unknown -> false;
    };
  }

  private static Optional<Key> key(List<Frame> frames) {
    return KnownPools.askedBy(frames).map(asked -> new Key(asked.pool(), asked.asked()));
  }
}
