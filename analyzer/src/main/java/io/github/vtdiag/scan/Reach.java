package io.github.vtdiag.scan;

import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.safety.Receiver;
import io.github.vtdiag.safety.Receivers;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The methods from which a wait can be reached, and the calls that are nearest to it: a call costs
 * one, and more where it could lead elsewhere as well.
 */
final class Reach {
  /** The cost of a wait that keeps the carrier without any monitor: it comes after all others. */
  static final double OF_FILE = 1000;

  /** The cost of a call inside the JDK: many programs take the path there. */
  private static final double INSIDE_JDK = 0.25;

  private final CallGraph graph;
  private final JdkRules rules;

  private final FollowedMethods followed;
  private final LikelyCalls likely;
  private final Callbacks callbacks;

  private Edges edges;

  /**
   * The edges from methods of the JDK, and below how much of it had been read when they were found.
   */
  private Edges insideJdk = new Edges();

  private long jdkSeen = -1;

  /** The paths to any point. */
  private Paths nearest;

  /** The paths to points that wait for the network or a database, or just for some time. */
  private Paths nearestOutside;

  /** The references whose edges to their targets were added. */
  private final BitSet added = new BitSet();

  private final Map<Integer, Wait> points = new HashMap<>();

  /** By call, the functions that it gives: each search asks for them. */
  private final Map<Integer, Given> given = new HashMap<>();

  /** The functions that a call gives. */
  private static final class Given {
    /** The methods that it may call, and how many parameters they are known to run as functions. */
    final int[] targets;

    final int running;
    final List<Integer> bodies = new ArrayList<>();

    Given(int[] targets, int running) {
      this.targets = targets;
      this.running = running;
    }

    @SuppressWarnings("ReferenceEquality") // The graph makes another array when there are more.
    boolean isOf(int[] now, int runningNow) {
      return now == targets && runningNow == running;
    }
  }

  /** A call that leads to a wait: its cost, and the method it leads to. */
  record Way(double cost, int target) {
    static final Way NONE = new Way(Double.POSITIVE_INFINITY, -1);

    boolean isOpen() {
      return target >= 0;
    }
  }

  Reach(CallGraph graph, Receivers receivers, Function<String, Set<String>> above) {
    this.graph = graph;
    this.rules = new JdkRules(graph);
    this.likely = new LikelyCalls(graph, rules, receivers, above);
    this.callbacks = new Callbacks(graph, rules, likely);
    this.followed = new FollowedMethods(graph, rules);
    search();
  }

  /** Searches back from all points at which threads wait, the nearest first. */
  void search() {
    edges = edges();
    int methods = graph.methods();
    int nodes = methods + graph.references();
    edges.sort(nodes, methods);
    Map<Integer, Double> all = new LinkedHashMap<>();
    Map<Integer, Double> outside = new LinkedHashMap<>();
    for (int method = 0; method < followed.size(); method++) {
      Optional<Wait> point = followed.has(method) ? rules.point(method) : Optional.empty();
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

  private Edges edges() {
    Edges edges;
    boolean isNews;
    do {
      added.clear();
      edges = new Edges();
      isNews = false;
      // This may read more classes, so the numbers of references come last.
      for (int method = 0; method < followed.size(); method++) {
        if (!graph.isJdk(method) && followed.has(method)) {
          isNews |= addEdges(method, edges);
        }
      }
      edges.addAll(insideJdk());
    } while (isNews); // A function is passed on from further up.
    return edges;
  }

  /**
   * Returns the edges from methods of the JDK, which are found again only if it has more classes.
   */
  private Edges insideJdk() {
    long seen = ((long) graph.created() << Integer.SIZE) | graph.references();
    if (seen != jdkSeen) {
      jdkSeen = seen;
      insideJdk = new Edges();
      for (int method = 0; method < followed.size(); method++) {
        if (graph.isJdk(method) && followed.has(method)) {
          addJdkEdges(method, insideJdk);
        }
      }
    }
    return insideJdk;
  }

  private void addJdkEdges(int method, Edges edges) {
    for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
      if (!graph.isNoCall(call)) {
        int[] targets = graph.targets(call);
        for (int target : targets) {
          if (isFollowed(method, target) && (graph.isJdk(target) || isContract(call))) {
            edges.add(method, target, INSIDE_JDK + several(targets.length));
          }
        }
      }
    }
  }

  private boolean addEdges(int method, Edges edges) {
    boolean isNews = false;
    for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
      isNews |= given(method, call, (body, cost) -> edges.add(method, body, cost));
      if (graph.isNoCall(call)) {
        continue;
      }
      if (likely.passed.isRunning(call)) {
        continue; // The paths to the function passed start at its caller.
      }
      if (callbacks.has(call)) {
        callbacks.lead(method, call, (target, cost) -> edges.add(method, target, cost));
      }
      if (likely.isExamined(call)) {
        addEdges(method, method, likely.targets(call), edges);
        continue;
      }
      int reference = graph.reference(call);
      edges.add(method, ~reference, 0);
      if (!added.get(reference)) {
        added.set(reference);
        addEdges(method, ~reference, likely.targets(call), edges);
      }
    }
    return isNews;
  }

  /** Finds the functions that a call gives to methods which run them, or that a lambda captures. */
  private boolean given(int method, int call, Callbacks.Lead lead) {
    int[] targets = graph.makesLambda(call) ? graph.targets(call) : likely.targets(call);
    int running = likely.passed.running(targets);
    if (running == 0) {
      return false;
    }
    Given known = given.get(call);
    boolean isNews = false;
    if (known == null || !known.isOf(targets, running)) {
      Given now = new Given(targets, running);
      isNews =
          likely.passed.given(
              method,
              call,
              targets,
              position -> now.bodies.addAll(likely.given(method, call, position)));
      given.put(call, now);
      known = now;
    }
    known.bodies.forEach(body -> lead.to(body, Callbacks.OWN));
    return isNews;
  }

  private void addEdges(int method, int from, int[] targets, Edges edges) {
    for (int target : targets) {
      if (isFollowed(method, target)) {
        edges.add(from, target, 1 + several(targets.length));
      }
    }
  }

  /**
   * Returns whether a call inside the JDK has a wait in its contract: any other does not lead back
   * into the program.
   */
  private boolean isContract(int call) {
    int named = graph.resolved(call);
    return named >= 0 && rules.mayWait(named);
  }

  /**
   * Examines the objects on which the calls on a path are made. Returns whether some of them lead
   * elsewhere now, and the paths have to be {@linkplain #search searched} again.
   *
   * @param from the method that makes the first call
   */
  boolean examine(int from, List<Integer> path) {
    boolean isNews = false;
    int at = from;
    for (int next : path) {
      for (int call = graph.firstCall(at); call < graph.endOfCalls(at); call++) {
        if (!graph.isJdk(at) && !graph.isNoCall(call)) {
          isNews |= examine(at, call, next);
        }
      }
      at = next;
    }
    return isNews;
  }

  private boolean examine(int method, int call, int next) {
    int[] targets = likely.targets(call);
    boolean isNews = false;
    if (contains(targets, next)
        && (targets.length > 1
            || graph.isJdk(next)
            || graph.isInterface(graph.named(call).owner()))) {
      isNews = likely.examine(method, call);
    }
    if (callbacks.has(call)) {
      boolean[] leads = {false};
      callbacks.lead(method, call, (target, cost) -> leads[0] |= target == next);
      isNews |= leads[0] && callbacks.examine(method, call);
    }
    return isNews;
  }

  static boolean contains(int[] targets, int target) {
    for (int each : targets) {
      if (each == target) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a call of the JDK is given streams, and only such as do not wait. */
  boolean isQuiet(int method, int call) {
    return likely.isQuiet(method, call);
  }

  /** Returns the objects on which a call is made. */
  Set<Receiver> receivers(int method, int call) {
    return likely.receivers(method, call);
  }

  /** Returns the cost of a call's other possible targets. */
  static double several(int targets) {
    return targets < 2 ? 0 : Math.log(targets) / Math.log(2);
  }

  private boolean isFollowed(int method, int target) {
    if (!graph.isJdk(target)) {
      return true;
    }
    if (!followed.has(target)) {
      return false;
    }
    if (graph.isJdk(method)) {
      return rules.leads(method, target);
    }
    return rules.mayWait(target) && !JdkRules.isThreadLoop(graph.name(target));
  }

  /** Finds the nearest wait to which a call leads. */
  Way way(int method, int call) {
    return way(method, call, nearest);
  }

  /** Finds the nearest wait whose duration does not depend on other threads. */
  Way wayOutside(int method, int call) {
    return way(method, call, nearestOutside);
  }

  private Way way(int method, int call, Paths paths) {
    if (graph.isNoCall(call)) {
      return Way.NONE;
    }
    List<Way> ways = new ArrayList<>();
    int[] targets = graph.isJdk(method) ? graph.targets(call) : likely.targets(call);
    for (int target : targets) {
      if (isFollowed(method, target)) {
        ways.add(new Way(1 + several(targets.length) + paths.cost(target), target));
      }
    }
    if (!graph.isJdk(method)) {
      given(method, call, (to, cost) -> ways.add(new Way(cost + paths.cost(to), to)));
    }
    if (!graph.isJdk(method) && callbacks.has(call)) {
      callbacks.lead(method, call, (to, cost) -> ways.add(new Way(cost + paths.cost(to), to)));
    }
    return ways.stream()
        .filter(way -> way.cost() < Double.POSITIVE_INFINITY)
        .min(Comparator.comparingDouble(Way::cost))
        .orElse(Way.NONE);
  }

  /** Returns the cost of the path from a method to the wait. */
  double cost(int method) {
    return nearest.cost(method);
  }

  /** Returns the methods from one to the point at which it waits. */
  List<Integer> path(int method) {
    return nearest.from(method);
  }

  List<Integer> pathOutside(int method) {
    return nearestOutside.from(method);
  }

  /** Finds the methods to which a call of a method of the JDK leads back, with the costs. */
  void callbacks(int method, int call, Callbacks.Lead lead) {
    callbacks.lead(method, call, (to, cost) -> lead.to(to, cost + cost(to)));
  }

  /** Returns the functional interfaces that a method of the JDK takes, and calls. */
  List<Callbacks.Back> backs(int called) {
    return callbacks.of(called);
  }

  /** Counts, for each method, the public methods of the program from which it is reached. */
  Map<Integer, Integer> entries(Set<Integer> of) {
    return new EntryCount(graph, edges, graph.methods() + graph.references()).count(of);
  }

  /** Returns the wait at the end of a path. */
  Wait waitAt(int point) {
    return points.get(point);
  }
}
