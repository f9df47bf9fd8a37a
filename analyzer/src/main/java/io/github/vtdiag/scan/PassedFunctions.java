package io.github.vtdiag.scan;

import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.safety.Receivers;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The methods that run a function which their callers pass. What they run depends on the caller: so
 * its call counts as one of the function too, and no way goes from one caller into another's.
 */
final class PassedFunctions {
  private final CallGraph graph;
  private final Receivers receivers;

  /** By method, the positions of the parameters that are functions it runs, or passes on. */
  private final Map<Integer, Set<Integer>> passed = new HashMap<>();

  /** The methods of these. */
  private final BitSet passing = new BitSet();

  /** By call and position, which parameter of its method an argument is. */
  private final Map<Long, Optional<Integer>> parameters = new HashMap<>();

  /** The calls that run a function which is a parameter. */
  private final BitSet running = new BitSet();

  PassedFunctions(CallGraph graph, Receivers receivers) {
    this.graph = graph;
    this.receivers = receivers;
  }

  /** Whether the caller of the method decides what a call in it runs. */
  boolean isRunning(int call) {
    return running.get(call);
  }

  /** Notes a call that runs an argument of its own, if that is a parameter of its method. */
  boolean note(int method, int call, int position) {
    Optional<Integer> parameter = parameter(method, call, position);
    if (parameter.isEmpty()) {
      return false;
    }
    running.set(call);
    return add(method, parameter.get());
  }

  /** What the code says, which does not change: it is asked for in every search. */
  private Optional<Integer> parameter(int method, int call, int position) {
    long place = ((long) call << Byte.SIZE) | position;
    Optional<Integer> known = parameters.get(place);
    if (known == null) {
      known = receivers.parameter(graph.name(method), graph.bci(call), position);
      parameters.put(place, known);
    }
    return known;
  }

  private boolean add(int method, int position) {
    passing.set(method);
    return passed.computeIfAbsent(method, each -> new LinkedHashSet<>()).add(position);
  }

  /** Takes the position of an argument that is a function. */
  interface Position {
    void at(int position);
  }

  /**
   * Tells which arguments of a call, or which of what a lambda captures, are functions that the
   * method called runs, if they are not passed on from further up.
   *
   * @return whether there are some that are passed on, of which it was not known
   */
  boolean given(int method, int call, int[] targets, Position each) {
    boolean isNews = false;
    if (passed.isEmpty()) {
      return false;
    }
    for (int target : targets) {
      if (!passing.get(target)) {
        continue;
      }
      for (int position : List.copyOf(passed.get(target))) {
        Optional<Integer> parameter = parameter(method, call, position);
        if (parameter.isPresent()) {
          isNews |= add(method, parameter.get());
        } else {
          each.at(position);
        }
      }
    }
    return isNews;
  }
}
