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
 * The methods that run a function which their callers pass. The code that they run depends on the
 * caller. So a call of such a method counts as one of the function too, and no path goes from one
 * caller into another's function.
 */
final class PassedFunctions {
  private final CallGraph graph;
  private final Receivers receivers;

  /** By method, the positions of the parameters that are functions which it runs, or passes on. */
  private final Map<Integer, Set<Integer>> passed = new HashMap<>();

  /** The methods with such parameters. */
  private final BitSet passing = new BitSet();

  /** By call and position, the parameter of its method that an argument is. */
  private final Map<Long, Optional<Integer>> parameters = new HashMap<>();

  /** The calls that run a parameter of their method as a function. */
  private final BitSet running = new BitSet();

  PassedFunctions(CallGraph graph, Receivers receivers) {
    this.graph = graph;
    this.receivers = receivers;
  }

  /** Returns whether the caller of the method decides what a call in it runs. */
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

  /**
   * Returns the parameter that an argument is. It is kept, as every search asks for it, and it
   * never changes.
   */
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

  /** Returns how many parameters the methods are known to run as functions, or to pass on. */
  int running(int[] targets) {
    int count = 0;
    for (int target : targets) {
      if (passing.get(target)) {
        count += passed.get(target).size();
      }
    }
    return count;
  }

  /** Takes the position of an argument that is a function. */
  interface Position {
    void at(int position);
  }

  /**
   * Finds the arguments of a call, or the captures of a lambda, that the called method runs as
   * functions. Those that are passed on from further up are left out.
   *
   * @return whether some are passed on, of which it was not known
   */
  boolean given(int method, int call, int[] targets, Position each) {
    boolean isNews = false;
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
