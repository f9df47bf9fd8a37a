package io.github.vtdiag.recording;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import io.github.vtdiag.waits.LongWait;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/** Gathers the agent's snapshots of waiting threads; from copies of a chunk, each once. */
final class WaitFacts {
  private final Map<Long, WaitLook> looks = new HashMap<>();
  private final Set<WaitCrowd> crowds = new LinkedHashSet<>();
  private final Set<LongWait> longWaits = new LinkedHashSet<>();
  private final Map<Integer, StackTrace> stacks = new HashMap<>();
  private final Set<Integer> lent = new HashSet<>();
  private final Set<SeenPool> pools = new LinkedHashSet<>();

  void add(WaitLook look) {
    looks.put(look.number(), look);
  }

  void add(WaitCrowd crowd) {
    crowds.add(crowd);
  }

  void add(LongWait wait) {
    longWaits.add(wait);
  }

  void add(SeenPool pool) {
    pools.add(pool);
  }

  void add(WaitStack stack) {
    stacks.putIfAbsent(stack.number(), stack.stack());
    if (stack.lent()) {
      lent.add(stack.number());
    }
  }

  /** Returns what was seen at the wanted moments. */
  SeenWaits at(LongPredicate wanted) {
    List<WaitLook> inside =
        looks.values().stream()
            .filter(look -> wanted.test(look.startNanos()))
            .sorted(Comparator.comparingLong(WaitLook::startNanos))
            .toList();
    if (inside.isEmpty()) {
      return SeenWaits.NONE;
    }
    Map<Long, List<WaitCrowd>> byLook = new HashMap<>();
    inside.forEach(look -> byLook.put(look.number(), new ArrayList<>()));
    for (WaitCrowd crowd : crowds) {
      List<WaitCrowd> there = byLook.get(crowd.look());
      if (there != null) {
        there.add(crowd);
      }
    }
    return new SeenWaits(
        inside,
        byLook,
        longWaits.stream().filter(wait -> wait.look() == inside.getLast().number()).toList(),
        stacks,
        lent,
        pools.stream().filter(pool -> byLook.containsKey(pool.look())).toList());
  }
}
