package io.github.vtdiag.scan;

import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.program.TypeHierarchy;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The libraries that are called on the path from a monitor, and whose classes are missing: waits
 * inside them are not seen.
 */
final class MissingLibraries {
  private final CallGraph graph;
  private final TypeHierarchy hierarchy;
  private final BitSet reached = new BitSet();
  private final Deque<Integer> next = new ArrayDeque<>();

  /** By package, its methods that are called. */
  private final Map<String, Set<Integer>> missing = new HashMap<>();

  MissingLibraries(CallGraph graph, TypeHierarchy hierarchy) {
    this.graph = graph;
    this.hierarchy = hierarchy;
  }

  /** Follows a call that is made while a monitor is held. */
  void follow(int call) {
    if (graph.isNoCall(call)) {
      return;
    }
    String owner = graph.named(call).owner();
    if (!owner.startsWith("[") && !hierarchy.isKnown(owner)) {
      missing.computeIfAbsent(library(owner), name -> new HashSet<>()).add(graph.reference(call));
    }
    for (int target : graph.targets(call)) {
      if (!graph.isJdk(target) && !reached.get(target)) {
        reached.set(target);
        next.add(target);
      }
    }
  }

  /** Returns the beginning of their packages, the most called first. */
  List<String> packages() {
    while (!next.isEmpty()) {
      int method = next.poll();
      for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
        follow(call);
      }
    }
    return missing.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, Set<Integer>>>comparingInt(
                    entry -> -entry.getValue().size())
                .thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Returns the first name of the package, or the first two if many share the first, such as "org".
   */
  private static String library(String type) {
    int first = type.indexOf('/');
    boolean isOfMany = first <= 3 || type.startsWith("javax/") || type.startsWith("jakarta/");
    int end = isOfMany ? type.indexOf('/', first + 1) : first;
    return type.substring(0, end < 0 ? Math.max(first, 0) : end).replace('/', '.');
  }
}
