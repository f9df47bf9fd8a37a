package io.github.vtdiag.scan;

import io.github.vtdiag.program.CallGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * From which methods a wait can be reached, and by which calls most nearly: a call counts one, and
 * more where it could lead elsewhere as well.
 */
final class Reach {
  /** How far inside the JDK it is looked for types that it creates for its callers. */
  private static final int FACTORY_DEPTH = 4;

  /** What a wait counts that keeps the carrier without any monitor: it comes after all others. */
  static final double OF_FILE = 1000;

  /** What a call inside the JDK counts: the way there is one that many programs go. */
  private static final double INSIDE_JDK = 0.25;

  private static final int UNSEEN = Integer.MAX_VALUE;

  private final CallGraph graph;
  private final JdkRules rules;

  /** How many calls inside the JDK lead to each of its methods from the program. */
  private int[] depths = {};

  /** What the program names and was looked at. */
  private final BitSet explored = new BitSet();

  /** The calls that may lead to more methods, once more types are there. */
  private final List<Open> open = new ArrayList<>();

  private final Deque<Integer> fresh = new ArrayDeque<>();

  private final Callbacks callbacks;

  /** To any point. */
  private Paths nearest;

  /** To those at which the network or a database is waited for, or just some time. */
  private Paths nearestOutside;

  /** The references whose targets have their edges. */
  private final BitSet added = new BitSet();

  private final Map<Integer, Wait> points = new HashMap<>();

  /** A call of a method, and where it led when it was followed. */
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

  /** A call that leads to a wait: what it counts, and the method it leads to. */
  record Way(double cost, int target) {
    static final Way NONE = new Way(Double.POSITIVE_INFINITY, -1);

    boolean isOpen() {
      return target >= 0;
    }
  }

  Reach(CallGraph graph) {
    this.graph = graph;
    this.rules = new JdkRules(graph);
    this.callbacks = new Callbacks(graph, rules);
    explore();
    search();
  }

  /** Reads the JDK's methods that the program calls, until no more types turn up. */
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

  /** Looks where the calls in a method lead. */
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
    // Once inside the reach of the factories, and once beyond, is enough.
    if (depths[target] == UNSEEN
        || (depth < depths[target] && depth <= FACTORY_DEPTH && depths[target] > 1)) {
      depths[target] = depth;
      fresh.add(target);
    }
  }

  /** Goes back from all points at which threads wait, the nearest first. */
  private void search() {
    Edges edges = new Edges();
    // While they are looked for, more classes may be read: numbers of references come last.
    for (int method = 0; method < depths.length; method++) {
      if (depths[method] != UNSEEN) {
        addEdges(method, edges);
      }
    }
    int methods = graph.methods();
    int nodes = methods + graph.references();
    edges.sort(nodes, methods);
    Map<Integer, Double> all = new LinkedHashMap<>();
    Map<Integer, Double> outside = new LinkedHashMap<>();
    for (int method = 0; method < depths.length; method++) {
      Optional<Wait> point = depth(method) == UNSEEN ? Optional.empty() : rules.point(method);
      if (point.isPresent()) {
        points.put(method, point.get());
        all.put(method, rules.penalty(method, point.get()));
        if (point.get().isOutside()) {
          outside.put(method, rules.penalty(method, point.get()));
        }
      }
    }
    nearest = new Paths(edges, nodes, methods, all);
    nearestOutside = new Paths(edges, nodes, methods, outside);
  }

  private void addEdges(int method, Edges edges) {
    boolean inJdk = graph.isJdk(method);
    for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
      if (graph.isNoCall(call)) {
        continue;
      }
      if (inJdk) {
        int[] targets = graph.targets(call);
        for (int target : targets) {
          if (isFollowed(method, target)) {
            edges.add(method, target, INSIDE_JDK + several(targets.length));
          }
        }
        continue;
      }
      int reference = graph.reference(call);
      edges.add(method, ~reference, 0);
      if (!added.get(reference)) {
        added.set(reference);
        int[] targets = graph.targets(call);
        for (int target : targets) {
          if (isFollowed(method, target)) {
            edges.add(~reference, target, 1 + several(targets.length));
          }
        }
      }
      if (callbacks.has(call)) {
        callbacks.lead(method, call, (target, cost) -> edges.add(method, target, cost));
      }
    }
  }

  /** What it counts that a call could lead to others too. */
  static double several(int targets) {
    return targets < 2 ? 0 : Math.log(targets) / Math.log(2);
  }

  private boolean isFollowed(int method, int target) {
    if (!graph.isJdk(target)) {
      return true;
    }
    if (depth(target) == UNSEEN) {
      return false;
    }
    if (graph.isJdk(method)) {
      return rules.leads(method, target);
    }
    return rules.mayWait(target) && !JdkRules.isThreadLoop(graph.name(target));
  }

  /** Where a call leads most nearly. */
  Way way(int method, int call) {
    return way(method, call, nearest);
  }

  /** Where it leads most nearly of what takes its time without any other thread. */
  Way wayOutside(int method, int call) {
    return way(method, call, nearestOutside);
  }

  private Way way(int method, int call, Paths paths) {
    if (graph.isNoCall(call)) {
      return Way.NONE;
    }
    List<Way> ways = new ArrayList<>();
    int[] targets = graph.targets(call);
    for (int target : targets) {
      if (isFollowed(method, target)) {
        ways.add(new Way(1 + several(targets.length) + paths.cost(target), target));
      }
    }
    if (!graph.isJdk(method) && callbacks.has(call)) {
      callbacks.lead(method, call, (to, cost) -> ways.add(new Way(cost + paths.cost(to), to)));
    }
    return ways.stream()
        .filter(way -> way.cost() < Double.POSITIVE_INFINITY)
        .min(Comparator.comparingDouble(Way::cost))
        .orElse(Way.NONE);
  }

  /** What it counts to get from a method to where it waits. */
  double cost(int method) {
    return nearest.cost(method);
  }

  /** The methods from one to the point at which it waits. */
  List<Integer> path(int method) {
    return nearest.from(method);
  }

  List<Integer> pathOutside(int method) {
    return nearestOutside.from(method);
  }

  /** Where a call of a method of the JDK leads back to, with what that counts. */
  void callbacks(int method, int call, Callbacks.Lead lead) {
    callbacks.lead(method, call, (to, cost) -> lead.to(to, cost + cost(to)));
  }

  /** The functional interfaces that a method of the JDK takes, and calls. */
  List<Callbacks.Back> backs(int called) {
    return callbacks.of(called);
  }

  /** What is waited for at the end of a path. */
  Wait waitAt(int point) {
    return points.get(point);
  }
}
