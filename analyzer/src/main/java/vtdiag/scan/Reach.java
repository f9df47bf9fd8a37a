package vtdiag.scan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import vtdiag.program.CallGraph;

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

  /** The calls that may lead to more methods, once more types are there; each with its method. */
  private final List<int[]> open = new ArrayList<>();

  private final Deque<Integer> fresh = new ArrayDeque<>();

  private final Callbacks callbacks;

  /** By node: the methods, then what the instructions name. */
  private double[] costs = {};

  private int[] next = {};
  private int methods;

  /** The references whose targets have their edges. */
  private final BitSet added = new BitSet();

  private final Map<Integer, Wait> points = new HashMap<>();

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
      for (int i = 0; i < open.size(); i++) {
        follow(open.get(i)[0], open.get(i)[1]);
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
        graph.created(call).ifPresent(graph::create);
      }
      follow(method, call);
      if (graph.isOpen(call)) {
        open.add(new int[] {method, call});
      }
    }
  }

  private void follow(int method, int call) {
    int depth = depth(method);
    for (int target : graph.targets(call)) {
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
    methods = graph.methods();
    edges.sort(methods + graph.references(), methods);
    costs = new double[methods + graph.references()];
    next = new int[costs.length];
    Arrays.fill(costs, Double.POSITIVE_INFINITY);
    Arrays.fill(next, -1);
    Heap queue = new Heap();
    for (int method = 0; method < depths.length; method++) {
      if (depth(method) != UNSEEN) {
        Optional<Wait> point = rules.point(method);
        if (point.isPresent()) {
          points.put(method, point.get());
          costs[method] = point.get() == Wait.FILE ? OF_FILE : rules.penalty(method, point.get());
          queue.add(entry(costs[method], method));
        }
      }
    }
    while (!queue.isEmpty()) {
      long entry = queue.poll();
      int node = (int) entry;
      if (entry >> 32 == order(costs[node])) {
        edges.leadingTo(node, (from, cost) -> relax(from, node, cost, queue));
      }
    }
  }

  private void relax(int from, int to, float cost, Heap queue) {
    if (costs[to] + cost < costs[from] && !points.containsKey(from)) {
      costs[from] = costs[to] + cost;
      next[from] = to;
      queue.add(entry(costs[from], from));
    }
  }

  /** In the order of costs, and of nodes among those of one cost. */
  private static long entry(double cost, int node) {
    return (order(cost) << 32) | node;
  }

  private static long order(double cost) {
    return Math.round(cost * 1024);
  }

  private void addEdges(int method, Edges edges) {
    boolean inJdk = graph.isJdk(method);
    for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
      if (graph.isNoCall(call)) {
        continue;
      }
      int[] targets = graph.targets(call);
      if (inJdk) {
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
        for (int target : targets) {
          if (isFollowed(method, target)) {
            edges.add(~reference, target, 1 + several(targets.length));
          }
        }
      }
      callbacks.lead(method, call, (target, cost) -> edges.add(method, target, cost));
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
    if (graph.isNoCall(call)) {
      return Way.NONE;
    }
    List<Way> ways = new ArrayList<>();
    int[] targets = graph.targets(call);
    for (int target : targets) {
      if (isFollowed(method, target)) {
        ways.add(new Way(1 + several(targets.length) + cost(target), target));
      }
    }
    if (!graph.isJdk(method)) {
      callbacks.lead(method, call, (to, cost) -> ways.add(new Way(cost + cost(to), to)));
    }
    return ways.stream()
        .filter(way -> way.cost() < Double.POSITIVE_INFINITY)
        .min(Comparator.comparingDouble(Way::cost))
        .orElse(Way.NONE);
  }

  /** What it counts to get from a method to where it waits. */
  double cost(int method) {
    return method < methods ? costs[method] : Double.POSITIVE_INFINITY;
  }

  /** The methods from one to the point at which it waits. */
  List<Integer> path(int method) {
    List<Integer> path = new ArrayList<>();
    for (int at = method; at >= 0; at = next[at]) {
      if (at < methods) {
        path.add(at);
      }
    }
    return path;
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
