package io.github.vtdiag.scan;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.safety.Receiver;
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
import org.objectweb.asm.Opcodes;

/**
 * The monitors that the JDK holds while it waits for the program, or while it calls it back, such
 * as a map that computes a value.
 */
final class JdkMonitors {
  /** The cost of a monitor that the JDK itself holds on the path: mostly it is held shortly. */
  private static final double INSIDE = 5;

  private final Program program;
  private final CallGraph graph;
  private final Reach reach;
  private final Map<String, Optional<ClassMonitors>> lockMaps = new HashMap<>();

  /**
   * By method of the JDK, the nearest monitor; for a method that calls the program back, also by
   * caller.
   */
  private final Map<Object, Monitor> nearest = new LinkedHashMap<>();

  /** By method of the JDK, the monitors held inside it on the path to the wait. */
  private final Map<Integer, List<Inside>> inside = new HashMap<>();

  private final Set<Integer> entered = new HashSet<>();
  private boolean isNews;

  /** The references of the program, and below those that hold a monitor while they call back. */
  private final BitSet named = new BitSet();

  private final BitSet leadsBack = new BitSet();
  private final Map<Integer, Map<Callbacks.Back, List<LockSite>>> around = new HashMap<>();

  /**
   * A monitor that is held inside a method of the JDK.
   *
   * @param path from there to the wait
   * @param ofSubclass whether only an instance of a class of the program holds it: the JDK's own
   *     has a lock in its place
   */
  private record Inside(LockSite site, List<Integer> path, boolean ofSubclass) {}

  JdkMonitors(Program program, Reach reach) {
    this.program = program;
    this.graph = program.calls().orElseThrow();
    this.reach = reach;
  }

  /** Finds the monitors, given the calls known so far. */
  List<Monitor> find() {
    nearest.clear();
    inside.clear();
    entered.clear();
    named.clear();
    leadsBack.clear();
    isNews = false;
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
            waitsInside(method, call, target);
          }
        }
      }
    }
    return new ArrayList<>(nearest.values());
  }

  /** Returns whether calls on a path lead elsewhere than assumed when the monitors were found. */
  boolean isNews() {
    return isNews;
  }

  /** Returns whether a call is made on an object that has exactly this method of the JDK. */
  private boolean isMadeOn(int method, int call, int target, boolean ofSubclass) {
    if (graph.has(target, Opcodes.ACC_STATIC)) {
      return !ofSubclass;
    }
    MethodName named = graph.named(call);
    for (Receiver receiver : reach.receivers(method, call)) {
      boolean is =
          switch (receiver) {
            case Receiver.Exactly exactly ->
                (!ofSubclass || isOwn(exactly.type()))
                    && graph.find(new MethodName(exactly.type(), named.name(), named.descriptor()))
                        == target;
            case Receiver.AtMost most ->
                ofSubclass
                    ? isOwn(most.type()) && graph.isSubtype(most.type(), graph.owner(target))
                    : graph.isSubtype(most.type(), graph.owner(target))
                        || (most.type().equals("java/util/concurrent/ConcurrentMap")
                            && graph.owner(target).endsWith("/ConcurrentHashMap"));
            case Receiver.OfJdk some -> false;
            case Receiver.Lambda lambda -> false;
          };
      if (is) {
        return true;
      }
    }
    return false;
  }

  private boolean isOwn(String type) {
    return program.hierarchy().type(type).isPresent();
  }

  /**
   * Notes the monitors that the called method holds while it calls back; returns whether there are
   * any.
   */
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
              if (cost < Reach.OF_FILE && isMadeOn(caller, call, called, false)) {
                List<Integer> path = reach.path(target);
                isNews |= reach.examine(caller, path);
                add(sites, caller, path, cost, List.of(called, caller));
              }
            });
      }
    }
    return holds;
  }

  /** Returns the monitors that a method holds where it calls back, or passes the callback on. */
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

  /** Adds the outermost monitor held on the path from a call of the JDK to the wait. */
  private void waitsInside(int caller, int call, int called) {
    if (entered.contains(called) || reach.cost(called) >= Reach.OF_FILE) {
      return;
    }
    List<Inside> held =
        inside.computeIfAbsent(called, this::inside).stream()
            .filter(each -> isMadeOn(caller, call, called, each.ofSubclass()))
            .toList();
    if (!held.isEmpty() && isOnWay(caller, call, called) && !reach.isQuiet(caller, call)) {
      entered.add(called);
      List<LockSite> sites = held.stream().map(Inside::site).toList();
      add(
          sites,
          caller,
          held.getFirst().path(),
          reach.cost(called) + INSIDE,
          sites.getFirst().id());
    }
  }

  /**
   * Returns whether an object that the program creates can have all methods on the path that an
   * object calls on itself: another subclass may have another one.
   */
  private boolean isOnWay(int caller, int call, int called) {
    List<Integer> path = reach.path(called);
    for (int i = 0; i + 1 < path.size(); i++) {
      String from = graph.owner(path.get(i));
      String to = graph.owner(path.get(i + 1));
      if (!from.equals(to)
          && graph.isSubtype(to, from)
          && !graph.has(called, Opcodes.ACC_STATIC)
          && reach.receivers(caller, call).stream()
              .noneMatch(
                  each ->
                      switch (each) {
                        case Receiver.Exactly exactly -> graph.isSubtype(exactly.type(), to);
                        case Receiver.AtMost most ->
                            graph.isSubtype(most.type(), to) || graph.isSubtype(to, most.type());
                        case Receiver.OfJdk some -> false;
                        case Receiver.Lambda lambda -> false;
                      })) {
        return false;
      }
      boolean isSame = graph.isSubtype(from, to) || graph.isSubtype(to, from);
      if (!isSame || !graph.isJdk(path.get(i + 1))) {
        break; // From here it is another object.
      }
    }
    return true;
  }

  private List<Inside> inside(int called) {
    List<Inside> found = new ArrayList<>();
    List<Integer> path = reach.path(called);
    for (int i = 0; i + 1 < path.size(); i++) {
      int method = path.get(i);
      if (!graph.isJdk(method)) {
        break;
      }
      boolean ofSubclass = hasLock(method);
      for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
        if (!graph.isNoCall(call) && leadsTo(call, path.get(i + 1)) && !(ofSubclass && i > 0)) {
          for (LockSite site : held(method, graph.bci(call))) {
            found.add(new Inside(site, path.subList(i + 1, path.size()), ofSubclass));
          }
        }
      }
    }
    return found;
  }

  /**
   * Returns whether a method of the JDK takes a monitor only in place of a lock. It takes the lock
   * for objects of exactly its class, or in platform threads.
   */
  private boolean hasLock(int method) {
    for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
      if (!graph.isNoCall(call)) {
        MethodName named = graph.named(call);
        if (named.owner().equals("jdk/internal/misc/InternalLock")
            || (named.owner().equals("java/lang/Thread") && named.name().equals("isVirtual"))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean leadsTo(int call, int target) {
    return Reach.contains(graph.targets(call), target);
  }

  private void add(List<LockSite> sites, int caller, List<Integer> path, double cost, Object key) {
    Monitor monitor =
        new Monitor(
            sites.getFirst(),
            sites.subList(1, sites.size()),
            new Owner.Jdk(),
            Optional.of(graph.name(caller)),
            reach.waitAt(path.getLast()),
            -1,
            MonitorScanner.names(graph, path),
            false, // not looked into
            Optional.empty(),
            cost,
            MonitorScanner.NOT_COUNTED);
    nearest.merge(key, monitor, (a, b) -> b.cost() < a.cost() ? b : a);
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
