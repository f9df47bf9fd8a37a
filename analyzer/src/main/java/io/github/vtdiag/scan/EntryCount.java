package io.github.vtdiag.scan;

import io.github.vtdiag.program.CallGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * The number of public methods of a program from which a method is reached. One search serves 64
 * methods: each node has a bit for each of them (Then et al., "The More the Merrier: Efficient
 * Multi-Source Graph Traversal", PVLDB 8, 2014).
 */
final class EntryCount {
  private final CallGraph graph;
  private final Edges edges;
  private final int methods;

  /** By node, the methods of one search that it reaches. */
  private final long[] reached;

  EntryCount(CallGraph graph, Edges edges, int nodes) {
    this.graph = graph;
    this.edges = edges;
    this.methods = graph.methods();
    this.reached = new long[nodes];
  }

  /** Counts the public methods from which each is reached; itself, if it is public. */
  Map<Integer, Integer> count(Set<Integer> of) {
    Map<Integer, Integer> counts = new HashMap<>();
    List<Integer> all = new ArrayList<>(of);
    for (int first = 0; first < all.size(); first += Long.SIZE) {
      List<Integer> some = all.subList(first, Math.min(first + Long.SIZE, all.size()));
      search(some);
      int[] found = counted();
      for (int i = 0; i < some.size(); i++) {
        counts.put(some.get(i), found[i]);
      }
    }
    return counts;
  }

  private void search(List<Integer> of) {
    Arrays.fill(reached, 0);
    ArrayDeque<Integer> open = new ArrayDeque<>(of);
    BitSet queued = new BitSet();
    for (int i = 0; i < of.size(); i++) {
      reached[of.get(i)] = 1L << i;
      queued.set(of.get(i));
    }
    while (!open.isEmpty()) {
      int at = open.poll();
      queued.clear(at);
      for (int edge = edges.first(at); edge < edges.end(at); edge++) {
        int from = edges.from(edge);
        long more = reached[at] & ~reached[from];
        if (more != 0 && (from >= methods || !graph.isJdk(from))) {
          reached[from] |= more;
          if (!queued.get(from)) {
            queued.set(from);
            open.add(from);
          }
        }
      }
    }
  }

  private int[] counted() {
    int[] counts = new int[Long.SIZE];
    for (int method = 0; method < methods; method++) {
      if (reached[method] != 0 && graph.has(method, Opcodes.ACC_PUBLIC)) {
        for (long left = reached[method]; left != 0; left &= left - 1) {
          counts[Long.numberOfTrailingZeros(left)]++;
        }
      }
    }
    return counts;
  }
}
