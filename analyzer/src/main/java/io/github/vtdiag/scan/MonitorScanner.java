package io.github.vtdiag.scan;

import static java.util.stream.Collectors.toSet;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.UnreadableClassException;
import io.github.vtdiag.safety.Receivers;
import io.github.vtdiag.scan.Scan.Monitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the monitors of a program that a thread can hold while it waits. */
public final class MonitorScanner {
  /**
   * The number of entries before they are counted: that happens once the targets of all calls are
   * known.
   */
  static final int NOT_COUNTED = 0;

  /**
   * The most searches of paths. Each leaves less to examine. A library needs some ten; a program of
   * 25,000 classes needed 228 until nothing was left, and the first 20 entries were the same.
   */
  private static final int MOST_SEARCHES = 40;

  private final Program program;
  private final CallGraph graph;
  private final Reach reach;
  private final HeldWait held;

  private final JdkMonitors jdk;
  private final List<Monitor> found = new ArrayList<>();

  /** The lock maps by class: each is asked for after every search. */
  private final Map<String, ClassMonitors> lockMaps = new HashMap<>();

  /** Tells whether calls on a path lead elsewhere than assumed when it was searched. */
  private boolean isNews;

  private final MissingLibraries missing;
  private int sites;
  private int files;
  private int unclear;

  private MonitorScanner(Program program) {
    this.program = program;
    this.graph = program.calls().orElseThrow();
    this.reach = new Reach(graph, new Receivers(program), program.hierarchy()::ancestors);
    this.held = new HeldWait(program, this::lockMap);
    this.jdk = new JdkMonitors(program, reach);
    this.missing = new MissingLibraries(graph, program.hierarchy());
  }

  /**
   * Scans all monitors of a program.
   *
   * @param program one that was read with its calls
   */
  public static Scan scan(Program program) {
    return new MonitorScanner(program).scan();
  }

  private Scan scan() {
    int classes = collect();
    for (int i = 1; isNews && i < MOST_SEARCHES; i++) {
      reach.search();
      classes = collect();
    }
    Map<Integer, Integer> entries =
        reach.entries(
            found.stream().map(this::methodOf).filter(method -> method >= 0).collect(toSet()));
    found.replaceAll(monitor -> monitor.withEntries(entries.getOrDefault(methodOf(monitor), 0)));
    found.sort(
        Comparator.comparingDouble(Monitor::rank)
            .thenComparing(monitor -> monitor.site().qualifiedMethod())
            .thenComparing(monitor -> monitor.site().descriptor())
            .thenComparingInt(monitor -> monitor.site().region().enterBci()));
    return new Scan(found, classes, sites, files, unclear, missing.packages(), program.problems());
  }

  private int methodOf(Monitor monitor) {
    LockSite site = monitor.site();
    return graph.method(
        monitor
            .caller()
            .orElseGet(
                () ->
                    new MethodName(
                        site.type().name().replace('.', '/'), site.method(), site.descriptor())));
  }

  /** Finds all monitors, given the calls known so far; returns the number of classes. */
  private int collect() {
    found.clear();
    sites = 0;
    files = 0;
    unclear = 0;
    isNews = false;
    int classes = 0;
    for (ClassFile type : program.hierarchy().types()) {
      classes++;
      if (type.locks()) {
        try {
          scan(type);
        } catch (UnreadableClassException e) {
          // The class is among the problems now.
        }
      }
    }
    found.addAll(jdk.find());
    isNews |= jdk.isNews();
    return classes;
  }

  private ClassMonitors lockMap(ClassFile type) {
    return lockMaps.computeIfAbsent(type.name(), name -> type.monitors());
  }

  private void scan(ClassFile type) {
    ClassMonitors monitors = lockMap(type);
    Owner owner = null;
    for (MethodMonitors method : monitors.methods()) {
      int number = graph.method(new MethodName(type.name(), method.name(), method.descriptor()));
      unclear += method.exact() ? 0 : 1;
      for (MonitorRegion region : method.regions()) {
        sites++;
        if (number >= 0) {
          missing(number, region);
        }
        Optional<FoundWait> way =
            number < 0 ? Optional.empty() : nearest(number, region, reach::way);
        if (way.isEmpty()) {
          continue;
        }
        if (way.get().way().cost() >= Reach.OF_FILE) {
          files++;
          continue;
        }
        owner = owner == null ? type.owner() : owner;
        LockSite site = new LockSite(monitors.type(), method.name(), method.descriptor(), region);
        List<Integer> path = reach.path(way.get().way().target());
        isNews |= reach.examine(number, path);
        found.add(
            new Monitor(
                site,
                List.of(),
                owner,
                Optional.empty(),
                reach.waitAt(path.getLast()),
                line(method, way.get().bci()),
                names(graph, path),
                reach.waitAt(path.getLast()) == Wait.OBJECT_WAIT
                    && held.isOn(region, method, way.get().bci(), path),
                reach.waitAt(path.getLast()).isOutside()
                    ? Optional.empty()
                    : also(number, method, region),
                way.get().way().cost(),
                NOT_COUNTED));
      }
    }
  }

  private void missing(int method, MonitorRegion region) {
    for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
      if (region.holdsAt(graph.bci(call))) {
        missing.follow(call);
      }
    }
  }

  /** A call while a monitor is held. */
  private record FoundWait(Reach.Way way, int bci) {}

  private Optional<Scan.Also> also(int number, MethodMonitors method, MonitorRegion region) {
    return nearest(number, region, reach::wayOutside)
        .map(
            way -> {
              List<Integer> path = reach.pathOutside(way.way().target());
              isNews |= reach.examine(number, path);
              return new Scan.Also(
                  reach.waitAt(path.getLast()), line(method, way.bci()), names(graph, path));
            });
  }

  /** Finds where a call in a method leads. */
  private interface WaySearch {
    Reach.Way of(int method, int call);
  }

  private Optional<FoundWait> nearest(int method, MonitorRegion region, WaySearch ways) {
    FoundWait nearest = new FoundWait(Reach.Way.NONE, -1);
    for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
      if (region.holdsAt(graph.bci(call))) {
        Reach.Way way = ways.of(method, call);
        if (way.cost() < nearest.way().cost()) {
          nearest = new FoundWait(way, graph.bci(call));
        }
      }
    }
    return nearest.way().isOpen() ? Optional.of(nearest) : Optional.empty();
  }

  /** Returns the names of the program's methods on a path, and of the first of the JDK's. */
  static List<MethodName> names(CallGraph graph, List<Integer> path) {
    List<MethodName> names = new ArrayList<>();
    for (int method : path) {
      names.add(graph.name(method));
      if (graph.isJdk(method)) {
        break;
      }
    }
    return names;
  }

  private static int line(MethodMonitors method, int bci) {
    return method.callSites().stream()
        .filter(site -> site.bci() == bci)
        .mapToInt(MethodMonitors.CallSite::line)
        .findFirst()
        .orElse(-1);
  }
}
