package io.github.vtdiag.page;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Stacks with their time, merged where they have the same outer frames: the data of a flame graph.
 */
final class Flames {
  /** The owners of frames, as the page names them. */
  private enum Whose {
    APPLICATION,
    LIBRARY,
    JDK,
    STRANGE
  }

  private static final class Node {
    final int name;

    /** The called frames by name; most frames call one method, and a page has a million frames. */
    private Map<Integer, Node> inner = Map.of();

    double nanos;
    double heldNanos;

    /** The time for which the frame held a carrier, by entry; few frames hold anything. */
    private Map<Integer, Double> entries = Map.of();

    Node(int name) {
      this.name = name;
    }

    Node inner(Integer number) {
      Node known = inner.get(number);
      if (known == null) {
        known = new Node(number);
        if (inner.isEmpty()) {
          inner = Map.of(number, known);
        } else {
          if (inner.size() == 1) {
            inner = new LinkedHashMap<>(inner);
          }
          inner.put(number, known);
        }
      }
      return known;
    }

    void holds(int entry, double time) {
      heldNanos += time;
      if (entries.isEmpty()) {
        entries = new HashMap<>(4);
      }
      entries.merge(entry, time, Double::sum);
    }
  }

  /**
   * The frames from the outermost inward, each after its caller.
   *
   * @param names the names of methods
   * @param whose the owners of these methods
   * @param parents the caller of each frame; -1 for the outermost
   * @param name the place of each frame's name in {@code names}
   * @param nanos the time of each frame
   * @param heldNanos the part of it in which the frame held what pinned the thread
   * @param entries the number of the entry for what each frame held; 0 if it never held anything
   */
  record Columns(
      List<String> names,
      List<String> whose,
      List<Integer> parents,
      List<Integer> name,
      List<Long> nanos,
      List<Long> heldNanos,
      List<Integer> entries) {}

  private static final Owner UNKNOWN = new Owner.UnknownJar("");

  private static final String CUT = "(outer frames were cut off)";
  private static final String NO_STACK = "(no stack)";

  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final List<String> whose = new ArrayList<>();

  /** The number of each frame's name; a frame is one object in all stacks of a recording. */
  private final IdentityHashMap<Frame, Integer> numberOf = new IdentityHashMap<>();

  private final Node root = new Node(-1);

  /** The owners of packages, by the owners of the classes of a recording. */
  private final IdentityHashMap<Map<ClassRef, Owner>, Map<String, Owner>> packages =
      new IdentityHashMap<>();

  /** Adds a stack. */
  void add(StackTrace stack, double nanos, Map<ClassRef, Owner> owners) {
    add(stack, nanos, owners, List.of(), 0);
  }

  /**
   * Adds a stack of pins.
   *
   * @param causes the causes that held their carriers
   * @param entry the number of the entry
   */
  void add(
      StackTrace stack,
      double nanos,
      Map<ClassRef, Owner> owners,
      List<PinCause> causes,
      int entry) {
    Set<Integer> holding = new HashSet<>();
    for (PinCause cause : causes) {
      depth(cause, stack).ifPresent(holding::add);
    }
    Node node = root;
    node.nanos += nanos;
    if (stack.isAbsent() || stack.truncated()) {
      node = node.inner(number(stack.isAbsent() ? NO_STACK : CUT, Whose.STRANGE));
      node.nanos += nanos;
    }
    for (int depth = stack.frames().size() - 1; depth >= 0; depth--) {
      Frame frame = stack.frames().get(depth);
      node =
          node.inner(
              numberOf.computeIfAbsent(
                  frame, any -> number(frame.qualifiedMethod(), whose(frame.type(), owners))));
      node.nanos += nanos;
      if (holding.contains(depth)) {
        node.holds(entry, nanos);
      }
    }
  }

  private Integer number(String name, Whose of) {
    return numbers.computeIfAbsent(
        name,
        any -> {
          whose.add(of.name().toLowerCase(Locale.ROOT));
          return numbers.size();
        });
  }

  private Whose whose(ClassRef type, Map<ClassRef, Owner> owners) {
    if (type.isJdk()) {
      return Whose.JDK;
    }
    Owner owner = owners.getOrDefault(type, UNKNOWN);
    if (owner instanceof Owner.UnknownJar) {
      // Frameworks generate proxies and subclasses beside the classes that they are for.
      owner =
          packages.computeIfAbsent(owners, Flames::packages).getOrDefault(packageOf(type), UNKNOWN);
    }
    return switch (owner) {
      case Owner.Application application -> Whose.APPLICATION;
      case Owner.Library library -> Whose.LIBRARY;
      case Owner.Jdk jdk -> Whose.JDK;
      case Owner.UnknownJar unknown -> Whose.STRANGE;
    };
  }

  /** Returns the owner of each package, all of whose known classes have that one. */
  private static Map<String, Owner> packages(Map<ClassRef, Owner> owners) {
    Map<String, Owner> packages = new HashMap<>();
    owners.forEach(
        (type, owner) -> {
          if (!(owner instanceof Owner.UnknownJar)) {
            packages.merge(packageOf(type), owner, (one, two) -> one.equals(two) ? one : UNKNOWN);
          }
        });
    return packages;
  }

  private static String packageOf(ClassRef type) {
    return type.name().substring(0, Math.max(0, type.name().lastIndexOf('.')));
  }

  /** Returns the depth of a cause's frame on a stack; empty if no frame shows it. */
  private static OptionalInt depth(PinCause cause, StackTrace stack) {
    int depth =
        cause.depth() >= 0 ? cause.depth() : cause.at().map(stack.frames()::indexOf).orElse(-1);
    return depth < 0 || depth >= stack.frames().size()
        ? OptionalInt.empty()
        : OptionalInt.of(depth);
  }

  Columns columns() {
    Columns columns =
        new Columns(
            numbers.keySet().stream()
                .map(name -> Printable.text(Timeline.shortened(name)))
                .toList(),
            whose,
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    add(root, -1, columns);
    return columns;
  }

  private static void add(Node outer, int number, Columns to) {
    outer.inner.values().stream()
        .sorted(Comparator.comparingDouble((Node node) -> node.nanos).reversed())
        .forEach(
            node -> {
              int own = to.name.size();
              to.parents.add(number);
              to.name.add(node.name);
              to.nanos.add(Math.round(node.nanos));
              to.heldNanos.add(Math.round(node.heldNanos));
              to.entries.add(
                  node.entries.entrySet().stream()
                      .max(Map.Entry.comparingByValue())
                      .map(Map.Entry::getKey)
                      .orElse(0));
              add(node, own, to);
            });
  }
}
