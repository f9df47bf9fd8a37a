package io.github.vtdiag.findings;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.waits.KnownPools;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The transactions that take an object of a pool when they begin, and have it until they end: a
 * thread inside one has it, although nothing of the pool is on its stack.
 */
final class Transactions {
  /** The methods that begin a transaction, call other code, and end the transaction. */
  private static final Set<String> AROUND =
      Set.of(
          "org.springframework.transaction.interceptor.TransactionAspectSupport"
              + ".invokeWithinTransaction",
          "org.springframework.transaction.support.TransactionTemplate.execute");

  /** The methods by which those were seen to reach the pool. */
  private final Map<String, Set<String>> beginnings = new HashMap<>();

  /** Learns from a thread that waits for the pool how its transaction begins. */
  void addWaiting(List<Frame> frames) {
    for (int i = 1; i < frames.size(); i++) {
      String around = frames.get(i).qualifiedMethod();
      if (AROUND.contains(around)) {
        beginnings
            .computeIfAbsent(around, key -> new HashSet<>())
            .add(frames.get(i - 1).qualifiedMethod());
      }
    }
  }

  /** Returns whether a stack is in code that such a transaction calls after its beginning. */
  boolean areAround(List<Frame> frames) {
    for (int i = 1; i < frames.size(); i++) {
      Set<String> begins = beginnings.get(frames.get(i).qualifiedMethod());
      if (begins != null && !begins.contains(frames.get(i - 1).qualifiedMethod())) {
        // One that begins another transaction may wait for a second object.
        return !KnownPools.isInside(frames);
      }
    }
    return false;
  }
}
