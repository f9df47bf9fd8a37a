package io.github.vtdiag.scan;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.safety.Receiver;
import io.github.vtdiag.safety.Receivers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The likely targets of a program's calls. They follow from the instantiated types, and, for the
 * calls on the path to a wait, from the objects on which the program makes them. That search is
 * slow, so only calls that would otherwise be reported are examined.
 */
final class LikelyCalls {
  /** The most implementations of an interface of the JDK of which each may be the target. */
  private static final int FEW = 3;

  private static final Set<String> STREAMS =
      Set.of("java/io/InputStream", "java/io/OutputStream", "java/io/Reader", "java/io/Writer");

  private static final int[] NONE = {};

  private final CallGraph graph;
  private final JdkRules rules;
  private final Receivers receivers;

  /** The supertypes of each type. */
  private final Function<String, Set<String>> above;

  /** By reference, the targets of calls on unknown objects. */
  private int[][] unexamined = {};

  /** By call, the targets of calls on known objects. */
  private int[][] examined = {};

  private final Map<Integer, Set<Receiver>> made = new HashMap<>();
  private final Map<Long, Set<Integer>> given = new HashMap<>();
  final PassedFunctions passed;

  LikelyCalls(
      CallGraph graph, JdkRules rules, Receivers receivers, Function<String, Set<String>> above) {
    this.above = above;
    this.graph = graph;
    this.rules = rules;
    this.receivers = receivers;
    this.passed = new PassedFunctions(graph, receivers);
  }

  /** Returns whether the objects of a call are known. */
  boolean isExamined(int call) {
    return call < examined.length && examined[call] != null;
  }

  int[] targets(int call) {
    if (isExamined(call)) {
      return examined[call];
    }
    int[] all = graph.targets(call);
    if (all.length == 0 || !graph.isOpen(call)) {
      return all;
    }
    int reference = graph.reference(call);
    if (reference >= unexamined.length) {
      unexamined = Arrays.copyOf(unexamined, Math.max(graph.references(), 2 * unexamined.length));
    }
    if (unexamined[reference] == null) {
      unexamined[reference] = contracted(graph.resolved(call), all);
    }
    return unexamined[reference];
  }

  /**
   * Leaves out the JDK's own implementations of a method without a wait in its contract: of all
   * collections and tasks, one that waits is hardly ever the target.
   */
  private int[] contracted(int named, int[] targets) {
    return named < 0 || !graph.isJdk(named) || rules.mayWait(named)
        ? targets
        : IntStream.of(targets).filter(each -> each == named || !graph.isJdk(each)).toArray();
  }

  /** Examines the objects on which a call is made; returns whether it leads elsewhere now. */
  boolean examine(int method, int call) {
    if (graph.isNoCall(call)
        || isExamined(call)
        || !(graph.isOpen(call) || isStream(call) || !streams(call).isEmpty())) {
      return false;
    }
    int[] before = targets(call);
    int[] after =
        isQuiet(method, call)
            ? NONE
            : graph.isOpen(call) || isStream(call) ? examined(method, call) : before;
    if (call >= examined.length) {
      examined = Arrays.copyOf(examined, Math.max(call + 1, 2 * examined.length));
    }
    examined[call] = after;
    boolean isPassed =
        graph.isOpen(call)
            && graph.functionalMethod(graph.named(call).owner()) == graph.resolved(call)
            && passed.note(method, call, 0);
    return isPassed || !Arrays.equals(before, after);
  }

  /** Returns whether the method is one of a stream of the JDK, which may wrap others. */
  private boolean isStream(int call) {
    int resolved = graph.resolved(call);
    return resolved >= 0
        && graph.isJdk(resolved)
        && !graph.has(resolved, Opcodes.ACC_STATIC)
        && graph.owner(resolved).startsWith("java/io/")
        && !graph.named(call).name().equals("<init>");
  }

  /** Returns whether a call of the JDK is given streams, and only such as do not wait. */
  boolean isQuiet(int method, int call) {
    List<Integer> streams = streams(call);
    return !streams.isEmpty()
        && streams.stream()
            .allMatch(
                position ->
                    Receiver.areQuiet(receivers.of(graph.name(method), graph.bci(call), position)));
  }

  /** Returns the streams among the arguments of a call of the JDK, by position. */
  private List<Integer> streams(int call) {
    int resolved = graph.resolved(call);
    if (resolved < 0 || !graph.isJdk(resolved)) {
      return List.of();
    }
    int first = graph.has(resolved, Opcodes.ACC_STATIC) ? 0 : 1;
    Type[] parameters = Type.getArgumentTypes(graph.named(call).descriptor());
    return IntStream.range(0, parameters.length)
        .filter(i -> STREAMS.contains(parameters[i].getInternalName()))
        .mapToObj(i -> i + first)
        .toList();
  }

  private int[] examined(int method, int call) {
    MethodName named = graph.named(call);
    int resolved = graph.resolved(call);
    Set<Integer> targets = new LinkedHashSet<>();
    for (Receiver each : receivers(method, call)) {
      switch (each) {
        case Receiver.Exactly exactly -> {
          int found = graph.find(new MethodName(exactly.type(), named.name(), named.descriptor()));
          // Code that a quiet stream inherits calls its own methods, not those of any stream.
          if (found >= 0
              && !isInherited(exactly.type(), found)
              && (graph.owner(found).equals(exactly.type()) || !Receiver.areQuiet(Set.of(each)))) {
            targets.add(found);
          }
        }
        case Receiver.Lambda lambda -> addBody(lambda, targets);
        case Receiver.OfJdk some -> {
          for (int target : targets(call)) {
            if (graph.isJdk(target)) {
              targets.add(target);
            }
          }
        }
        case Receiver.AtMost most -> {
          for (int target : atMost(most.type(), call, resolved)) {
            if (!isInherited(most.type(), target)) {
              targets.add(target);
            }
          }
        }
      }
    }
    return targets.stream().mapToInt(target -> target).toArray();
  }

  /** Returns whether a stream of the program that does not wait inherits a method of the JDK. */
  private boolean isInherited(String type, int target) {
    return graph.isJdk(target) && receivers.isOnQuiet(type);
  }

  private void addBody(Receiver.Lambda lambda, Set<Integer> targets) {
    int body = graph.find(lambda.body());
    if (body >= 0) {
      for (int each : graph.implementations(body)) {
        targets.add(each);
      }
    }
  }

  private int[] atMost(String type, int call, int resolved) {
    int[] all = targets(call);
    boolean isOwn = !new ClassRef(type.replace('/', '.'), "").isJdk();
    if (isOwn || resolved < 0 || !graph.isJdk(resolved) || rules.mayWait(resolved)) {
      return IntStream.of(all)
          .filter(each -> graph.isJdk(each) || mayBe(graph.owner(each), type, isOwn))
          .toArray();
    }
    String face = graph.owner(resolved);
    if (graph.functionalMethod(face) == resolved) {
      // A function that other code created.
      return all.length <= FEW && !rules.handsOver(resolved) ? all : NONE;
    }
    // An iterator or a list that other code created is hardly ever one of the program's few.
    return face.startsWith("java/util/") ? NONE : all;
  }

  /**
   * Returns whether an object of the type may run a method of a class: a supertype, or a subtype.
   */
  private boolean mayBe(String owner, String type, boolean isOwn) {
    return graph.isInterface(owner)
        || graph.isSubtype(owner, type)
        || graph.isSubtype(type, owner)
        || (graph.isInterface(type) && !isOwn);
  }

  /** Returns the objects on which a call is made. */
  Set<Receiver> receivers(int method, int call) {
    return made.computeIfAbsent(call, each -> receivers.of(graph.name(method), graph.bci(call), 0));
  }

  /** Returns the methods of the program that a call is given as functions and runs. */
  Set<Integer> given(int method, int call, int position) {
    long place = ((long) call << Byte.SIZE) | position;
    Set<Integer> known = given.get(place);
    if (known == null) {
      known = findGiven(method, call, position);
      given.put(place, known);
    }
    return known;
  }

  private Set<Integer> findGiven(int method, int call, int position) {
    Set<Integer> targets = new LinkedHashSet<>();
    for (Receiver each : receivers.of(graph.name(method), graph.bci(call), position)) {
      if (each instanceof Receiver.Lambda lambda) {
        addBody(lambda, targets);
      } else if (each instanceof Receiver.Exactly exactly) {
        addFunction(exactly.type(), targets);
      }
    }
    targets.removeIf(graph::isJdk);
    return targets;
  }

  /**
   * Adds the method that an object of a class runs as a function, by the interfaces that it may be.
   */
  private void addFunction(String type, Set<Integer> targets) {
    for (String face : above.apply(type)) {
      int method = graph.functionalMethod(face);
      if (method >= 0) {
        MethodName name = graph.name(method);
        int found = graph.find(new MethodName(type, name.name(), name.descriptor()));
        if (found >= 0) {
          targets.add(found);
        }
      }
    }
  }

  /** Returns the methods that a call of the JDK calls back, if the object handed over is known. */
  Optional<Set<Integer>> handedOver(int method, int call, int position, MethodName face) {
    Set<Integer> targets = new LinkedHashSet<>();
    for (Receiver each : receivers.of(graph.name(method), graph.bci(call), position)) {
      switch (each) {
        case Receiver.Exactly exactly -> {
          int found = graph.find(new MethodName(exactly.type(), face.name(), face.descriptor()));
          if (found >= 0) {
            targets.add(found);
          }
        }
        case Receiver.Lambda lambda -> addBody(lambda, targets);
        case Receiver.OfJdk some -> {}
        case Receiver.AtMost most -> {
          return Optional.empty();
        }
      }
    }
    return Optional.of(targets);
  }
}
