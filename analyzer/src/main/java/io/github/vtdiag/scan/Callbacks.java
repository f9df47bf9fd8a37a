package io.github.vtdiag.scan;

import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.program.MethodName;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The methods of a program that a method of the JDK calls back while it runs, such as the function
 * that a map computes a value with.
 */
final class Callbacks {
  /** What it counts that a lambda is handed to a method which may or may not call it. */
  private static final double OWN = 1.5;

  /** What it counts that it is not known which object is handed over. */
  private static final double ANY = 3;

  private final CallGraph graph;
  private final JdkRules rules;
  private final Map<Integer, List<Back>> known = new HashMap<>();

  /** By reference, whether it was asked if it calls back, and if it does. */
  private final BitSet looked = new BitSet();

  private final BitSet callingBack = new BitSet();

  /** A functional interface among the parameters of a method, and its method. */
  record Back(String type, int method) {}

  /** Takes a method that a call leads to. */
  interface Lead {
    void to(int target, double cost);
  }

  Callbacks(CallGraph graph, JdkRules rules) {
    this.graph = graph;
    this.rules = rules;
  }

  /** The functional interfaces of the JDK that a method of the JDK takes and calls. */
  List<Back> of(int called) {
    List<Back> backs = known.get(called);
    if (backs == null) {
      backs = find(called);
      known.put(called, backs);
    }
    return backs;
  }

  private List<Back> find(int called) {
    if (!graph.isJdk(called) || rules.handsOver(called)) {
      return List.of();
    }
    List<Back> backs = new ArrayList<>();
    for (String type : parameters(graph.name(called).descriptor())) {
      int method = graph.functionalMethod(type);
      if (method >= 0 && graph.isJdk(method)) {
        backs.add(new Back(type, method));
      }
    }
    return backs;
  }

  /** Whether a call is one of a method of the JDK that calls back. */
  boolean has(int call) {
    int reference = graph.reference(call);
    if (!looked.get(reference)) {
      looked.set(reference);
      int called = graph.resolved(call);
      callingBack.set(reference, called >= 0 && !of(called).isEmpty());
    }
    return callingBack.get(reference);
  }

  /** Tells where a call of the JDK leads back to. */
  void lead(int method, int call, Lead lead) {
    int called = graph.resolved(call);
    if (called < 0) {
      return;
    }
    for (Back back : of(called)) {
      Set<Integer> made = made(method, call, back);
      if (!made.isEmpty()) {
        made.forEach(target -> lead.to(target, OWN));
        continue;
      }
      int[] all = graph.implementations(back.method());
      for (int target : all) {
        if (!graph.isJdk(target)) {
          lead.to(target, ANY + Reach.several(all.length));
        }
      }
    }
  }

  /** The methods of the lambdas and objects of a type that a method makes before a call. */
  private Set<Integer> made(int method, int call, Back back) {
    Set<Integer> made = new LinkedHashSet<>();
    for (int each = graph.firstCall(method); each < call; each++) {
      if (graph.makesLambda(each)) {
        if (graph.isSubtype(graph.lambdaType(each), back.type())) {
          for (int target : graph.targets(each)) {
            made.add(target);
          }
        }
        continue;
      }
      Optional<String> created = graph.created(each);
      if (created.isPresent() && graph.isSubtype(created.get(), back.type())) {
        MethodName name = graph.name(back.method());
        int target = graph.method(new MethodName(created.get(), name.name(), name.descriptor()));
        if (target >= 0 && !graph.isJdk(target)) {
          made.add(target);
        }
      }
    }
    return made;
  }

  /** The classes among a method's parameters. */
  private static List<String> parameters(String descriptor) {
    List<String> types = new ArrayList<>();
    int end = descriptor.indexOf(')');
    for (int at = descriptor.indexOf('L'); at >= 0 && at < end; at = descriptor.indexOf('L', at)) {
      int semicolon = descriptor.indexOf(';', at);
      types.add(descriptor.substring(at + 1, semicolon));
      at = semicolon;
    }
    return types;
  }
}
