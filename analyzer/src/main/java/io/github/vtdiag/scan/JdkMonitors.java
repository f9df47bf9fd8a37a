package io.github.vtdiag.scan;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Owner;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.scan.Scan.Monitor;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The monitors that the JDK holds while it waits for the program, or while it calls it back, such
 * as a map that computes a value.
 */
final class JdkMonitors {
  /** What it counts that a monitor is one that the JDK itself holds on the way: mostly shortly. */
  private static final double INSIDE = 5;

  private final Program program;
  private final CallGraph graph;
  private final Reach reach;
  private final Map<String, Optional<ClassMonitors>> lockMaps = new HashMap<>();

  /** The nearest of each monitor, for what calls the program back also of each caller. */
  private final Map<Object, Monitor> nearest = new LinkedHashMap<>();

  private final Set<Integer> entered = new HashSet<>();

  /** What the program names, and of that what holds a monitor while it calls back. */
  private final BitSet named = new BitSet();

  private final BitSet leadsBack = new BitSet();
  private final Map<Integer, Map<Callbacks.Back, List<LockSite>>> around = new HashMap<>();

  JdkMonitors(Program program, Reach reach) {
    this.program = program;
    this.graph = program.calls().orElseThrow();
    this.reach = reach;
  }

  List<Monitor> find() {
    int methods = graph.methods();
    for (int method = 0; method < methods; method++) {
      if (graph.isJdk(method)) {
        continue;
      }
      for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
        if (graph.isNoCall(call)) {
          continue;
        }
        boolean again = named.get(graph.reference(call));
        named.set(graph.reference(call));
        if (again && !leadsBack.get(graph.reference(call))) {
          continue;
        }
        for (int target : graph.targets(call)) {
          if (graph.isJdk(target)) {
            if (calledBack(method, call, target)) {
              leadsBack.set(graph.reference(call));
            }
            waitsInside(method, target);
          }
        }
      }
    }
    return new ArrayList<>(nearest.values());
  }

  /** Tells whether the method called holds a monitor while it calls back. */
  private boolean calledBack(int caller, int call, int called) {
    boolean holds = false;
    for (Callbacks.Back back : reach.backs(called)) {
      List<LockSite> sites =
          around
              .computeIfAbsent(called, n -> new HashMap<>())
              .computeIfAbsent(back, n -> sitesAround(called, back));
      if (!sites.isEmpty()) {
        holds = true;
        reach.callbacks(
            caller,
            call,
            (target, cost) -> {
              if (cost < Reach.OF_FILE) {
                sites.forEach(site -> add(site, caller, reach.path(target), cost, true));
              }
            });
      }
    }
    return holds;
  }

  /** The monitors that a method holds where it calls back, or hands on what it calls back. */
  private List<LockSite> sitesAround(int called, Callbacks.Back back) {
    List<LockSite> sites = new ArrayList<>();
    for (int call = graph.firstCall(called); call < graph.endOfCalls(called); call++) {
      if (!graph.isNoCall(call)) {
        MethodName named = graph.named(call);
        if (graph.resolved(call) == back.method()
            || named.descriptor().contains("L" + back.type() + ";")) {
          sites.addAll(held(called, graph.bci(call)));
        }
      }
    }
    return sites.stream().distinct().toList();
  }

  /** What is held on the way from a call of the JDK to where it waits. */
  private void waitsInside(int caller, int called) {
    if (!entered.add(called)) {
      return;
    }
    List<Integer> path = reach.path(called);
    double cost = reach.cost(called);
    if (cost >= Reach.OF_FILE) {
      return;
    }
    for (int i = 0; i + 1 < path.size(); i++) {
      int method = path.get(i);
      if (!graph.isJdk(method)) {
        return;
      }
      for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
        if (!graph.isNoCall(call) && leadsTo(call, path.get(i + 1))) {
          for (LockSite site : held(method, graph.bci(call))) {
            add(site, caller, path.subList(i + 1, path.size()), cost + INSIDE, false);
          }
        }
      }
    }
  }

  private boolean leadsTo(int call, int target) {
    for (int each : graph.targets(call)) {
      if (each == target) {
        return true;
      }
    }
    return false;
  }

  private void add(LockSite site, int caller, List<Integer> path, double cost, boolean eachCaller) {
    Monitor monitor =
        new Monitor(
            site,
            new Owner.Jdk(),
            Optional.of(graph.name(caller)),
            reach.waitAt(path.getLast()),
            -1,
            MonitorScanner.names(graph, path),
            false, // not looked into
            Optional.empty(),
            cost);
    nearest.merge(
        eachCaller ? List.of(site.id(), caller) : site.id(),
        monitor,
        (a, b) -> b.cost() < a.cost() ? b : a);
  }

  private List<LockSite> held(int method, int bci) {
    MethodName name = graph.name(method);
    Optional<ClassMonitors> monitors =
        lockMaps.computeIfAbsent(name.owner().replace('/', '.'), program::jdkMonitors);
    List<LockSite> sites = new ArrayList<>();
    Optional<MethodMonitors> of =
        monitors.flatMap(all -> all.method(name.name(), name.descriptor()));
    if (of.isPresent()) {
      for (MonitorRegion region : of.get().heldAt(bci)) {
        sites.add(new LockSite(monitors.get().type(), name.name(), name.descriptor(), region));
      }
    }
    return sites;
  }
}
