package io.github.vtdiag.scan;

import io.github.vtdiag.program.CallGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * The methods of a program, and those of the JDK that it calls. They are read until no more types
 * are found.
 */
final class FollowedMethods {
  /** The depth inside the JDK to which types are searched that it creates for its callers. */
  private static final int FACTORY_DEPTH = 4;

  private static final int UNSEEN = Integer.MAX_VALUE;

  private final CallGraph graph;
  private final JdkRules rules;

  /** By method of the JDK, the number of calls inside the JDK that lead to it from the program. */
  private int[] depths = {};

  /** The references of the program that were explored. */
  private final BitSet explored = new BitSet();

  /** The calls that may lead to more methods, once more types are instantiated. */
  private final List<Open> open = new ArrayList<>();

  private final Deque<Integer> fresh = new ArrayDeque<>();

  /** A call in a method, and its targets when it was followed. */
  private static final class Open {
    final int method;
    final int call;
    int[] targets;

    Open(int method, int call, int[] targets) {
      this.method = method;
      this.call = call;
      this.targets = targets;
    }

    @SuppressWarnings("ReferenceEquality") // The graph makes another array when there are more.
    boolean leadsElsewhere(int[] now) {
      boolean isOther = now != targets;
      targets = now;
      return isOther;
    }
  }

  FollowedMethods(CallGraph graph, JdkRules rules) {
    this.graph = graph;
    this.rules = rules;
    explore();
  }

  /** Returns a number beyond all their numbers. */
  int size() {
    return depths.length;
  }

  boolean has(int method) {
    return depth(method) != UNSEEN;
  }

  private void explore() {
    depths = new int[graph.methods()];
    for (int method = 0; method < depths.length; method++) {
      depths[method] = graph.isJdk(method) ? UNSEEN : 0;
    }
    for (int method = 0; method < depths.length; method++) {
      if (depths[method] != UNSEEN) {
        explore(method);
      }
    }
    int known;
    do {
      known = graph.created();
      for (Open each : open) {
        int[] targets = graph.targets(each.call);
        if (each.leadsElsewhere(targets)) {
          follow(each.method, targets);
        }
      }
      while (!fresh.isEmpty()) {
        explore(fresh.poll());
      }
    } while (graph.created() > known);
    graph.settle();
  }

  private int depth(int method) {
    return method < depths.length ? depths[method] : UNSEEN;
  }

  /** Explores the targets of the calls in a method. */
  private void explore(int method) {
    int depth = depth(method);
    int end = graph.endOfCalls(method);
    for (int call = graph.firstCall(method); call < end; call++) {
      if (depth == 0) {
        int reference = graph.reference(call);
        if (explored.get(reference)) {
          continue; // The program names most methods in more than one place.
        }
        explored.set(reference);
      } else {
        graph.createAt(call);
      }
      int[] targets = graph.targets(call);
      follow(method, targets);
      if (graph.isOpen(call)) {
        open.add(new Open(method, call, targets));
      }
    }
  }

  private void follow(int method, int[] targets) {
    int depth = depth(method);
    for (int target : targets) {
      if (depth + 1 < depth(target)
          && graph.isJdk(target)
          && !rules.isBeside(target)
          && (depth < FACTORY_DEPTH || rules.leads(method, target))) {
        see(target, depth + 1);
      }
    }
  }

  private void see(int target, int depth) {
    if (target >= depths.length) {
      int before = depths.length;
      depths = Arrays.copyOf(depths, Math.max(target + 1, graph.methods()));
      Arrays.fill(depths, before, depths.length, UNSEEN);
    }
    // A method is explored once within the depth of the factories, and once beyond.
    if (depths[target] == UNSEEN
        || (depth < depths[target] && depth <= FACTORY_DEPTH && depths[target] > 1)) {
      depths[target] = depth;
      fresh.add(target);
    }
  }
}
