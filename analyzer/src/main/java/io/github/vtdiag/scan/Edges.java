package io.github.vtdiag.scan;

import java.util.Arrays;

/** The calls backwards: from a node to those that lead there, as numbers. */
final class Edges {
  private int[] froms = new int[1 << 12];
  private int[] tos = new int[1 << 12];
  private float[] costs = new float[1 << 12];
  private int size;

  /** The first edge to each node, once the edges are sorted. */
  private int[] first = {};

  void add(int from, int to, double cost) {
    if (size == froms.length) {
      froms = Arrays.copyOf(froms, 2 * size);
      tos = Arrays.copyOf(tos, 2 * size);
      costs = Arrays.copyOf(costs, 2 * size);
    }
    froms[size] = from;
    tos[size] = to;
    costs[size] = (float) cost;
    size++;
  }

  /** Adds all of others, which are not sorted yet. */
  void addAll(Edges others) {
    for (int i = 0; i < others.size; i++) {
      add(others.froms[i], others.tos[i], others.costs[i]);
    }
  }

  /**
   * Sorts the edges; no more can be added.
   *
   * @param nodes the number of nodes
   * @param complements the number of the node that {@code ~0} stands for
   */
  void sort(int nodes, int complements) {
    for (int i = 0; i < size; i++) {
      froms[i] = froms[i] < 0 ? complements + ~froms[i] : froms[i];
      tos[i] = tos[i] < 0 ? complements + ~tos[i] : tos[i];
    }
    first = new int[nodes + 1];
    for (int i = 0; i < size; i++) {
      first[tos[i] + 1]++;
    }
    for (int i = 0; i < nodes; i++) {
      first[i + 1] += first[i];
    }
    int[] at = Arrays.copyOf(first, nodes);
    int[] sortedFroms = new int[size];
    float[] sortedCosts = new float[size];
    for (int i = 0; i < size; i++) {
      int place = at[tos[i]]++;
      sortedFroms[place] = froms[i];
      sortedCosts[place] = costs[i];
    }
    froms = sortedFroms;
    costs = sortedCosts;
    tos = new int[0];
  }

  /** Returns the first edge that leads to a node; the others follow it. */
  int first(int node) {
    return first[node];
  }

  /** Returns the edge after the last that leads to a node. */
  int end(int node) {
    return first[node + 1];
  }

  int from(int edge) {
    return froms[edge];
  }

  float cost(int edge) {
    return costs[edge];
  }
}
