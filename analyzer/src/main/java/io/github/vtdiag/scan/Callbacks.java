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
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The methods of a program that a method of the JDK calls back while it runs, such as the function
 * with which a map computes a value.
 */
final class Callbacks {
  /** The cost of handing a lambda to a method which may or may not call it. */
  static final double OWN = 1.5;

  /** The cost of handing over an unknown object. */
  private static final double ANY = 3;

  private final CallGraph graph;
  private final JdkRules rules;
  private final Map<Integer, List<Back>> known = new HashMap<>();

  /** By reference, whether it was checked for callbacks, and below whether it calls back. */
  private final BitSet looked = new BitSet();

  private final BitSet callingBack = new BitSet();

  private final LikelyCalls likely;

  /** By call and place, the methods called back where the object handed over is known. */
  private final Map<List<Integer>, Set<Integer>> examined = new HashMap<>();

  /**
   * A functional interface among the parameters of a method, the parameter's position, and the
   * interface's method.
   */
  record Back(String type, int parameter, int method) {}

  /** Takes a method that a call leads to. */
  interface Lead {
    void to(int target, double cost);
  }

  Callbacks(CallGraph graph, JdkRules rules, LikelyCalls likely) {
    this.graph = graph;
    this.rules = rules;
    this.likely = likely;
  }

  /** Returns the functional interfaces of the JDK that a method of the JDK takes and calls. */
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
    Type[] parameters = Type.getArgumentTypes(graph.name(called).descriptor());
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].getSort() == Type.OBJECT) {
        String type = parameters[i].getInternalName();
        int method = graph.functionalMethod(type);
        if (method >= 0 && graph.isJdk(method)) {
          backs.add(new Back(type, i, method));
        }
      }
    }
    return backs;
  }

  /** Returns whether a call is one of a method of the JDK that calls back. */
  boolean has(int call) {
    int reference = graph.reference(call);
    if (!looked.get(reference)) {
      looked.set(reference);
      int called = graph.resolved(call);
      callingBack.set(reference, called >= 0 && !of(called).isEmpty());
    }
    return callingBack.get(reference);
  }

  /** Finds the methods to which a call of the JDK leads back. */
  void lead(int method, int call, Lead lead) {
    int called = graph.resolved(call);
    if (called < 0) {
      return;
    }
    for (Back back : of(called)) {
      Set<Integer> known = examined.get(List.of(call, back.parameter()));
      Set<Integer> made = known != null ? known : made(method, call, back);
      if (known != null || !made.isEmpty()) {
        for (int target : made) {
          // A reference to a method of the JDK, such as that of all tasks, proves nothing.
          if (!graph.isJdk(target)) {
            lead.to(target, OWN);
          }
        }
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

  /**
   * Examines the objects that a call of the JDK hands over; returns whether it leads elsewhere now.
   * Objects that only unseen code hands over are not followed.
   */
  boolean examine(int method, int call) {
    int called = graph.resolved(call);
    if (called < 0) {
      return false;
    }
    boolean isNews = false;
    for (Back back : of(called)) {
      List<Integer> place = List.of(call, back.parameter());
      if (!examined.containsKey(place)) {
        boolean isStatic = graph.has(called, Opcodes.ACC_STATIC);
        Set<Integer> before = made(method, call, back);
        Set<Integer> after =
            likely
                .handedOver(
                    method, call, back.parameter() + (isStatic ? 0 : 1), graph.name(back.method()))
                .orElse(before);
        examined.put(place, after);
        isNews |= likely.passed.note(method, call, back.parameter() + (isStatic ? 0 : 1));
        isNews |= before.isEmpty() || !before.equals(after);
      }
    }
    return isNews;
  }

  /**
   * Returns the methods of the lambdas and objects of a type that a method creates before a call.
   */
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
}
