package io.github.vtdiag.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** The path from each method to the nearest of some points at which threads wait. */
final class Paths {
  private final BitSet points = new BitSet();
  private final int methods;

  /** The costs by node: the methods, then the references. */
  private final double[] costs;

  private final int[] next;

  /**
   * Searches back from the points, the nearest first.
   *
   * @param points the points, with the cost of each
   * @param methods the nodes that are methods: the first
   */
  Paths(Edges edges, int nodes, int methods, Map<Integer, Double> points) {
    this.methods = methods;
    costs = new double[nodes];
    next = new int[nodes];
    Arrays.fill(costs, Double.POSITIVE_INFINITY);
    Arrays.fill(next, -1);
    Heap queue = new Heap();
    points.forEach(
        (point, cost) -> {
          this.points.set(point);
          costs[point] = cost;
          queue.add(entry(cost, point));
        });
    while (!queue.isEmpty()) {
      long entry = queue.poll();
      int node = (int) entry;
      if (entry >> 32 == order(costs[node])) {
        for (int edge = edges.first(node); edge < edges.end(node); edge++) {
          relax(edges.from(edge), node, edges.cost(edge), queue);
        }
      }
    }
  }

  private void relax(int from, int to, float cost, Heap queue) {
    if (costs[to] + cost < costs[from] && !points.get(from)) {
      costs[from] = costs[to] + cost;
      next[from] = to;
      queue.add(entry(costs[from], from));
    }
  }

  /** Returns a queue entry: ordered by cost, and by node among those of one cost. */
  private static long entry(double cost, int node) {
    return (order(cost) << 32) | node;
  }

  private static long order(double cost) {
    return Math.round(cost * 1024);
  }

  /** Returns the cost of the path from a method to the wait. */
  double cost(int method) {
    return method < methods ? costs[method] : Double.POSITIVE_INFINITY;
  }

  /** Returns the methods from one to the point at which it waits. */
  List<Integer> from(int method) {
    List<Integer> path = new ArrayList<>();
    for (int at = method; at >= 0; at = next[at]) {
      if (at < methods) {
        path.add(at);
      }
    }
    return path;
  }
}
