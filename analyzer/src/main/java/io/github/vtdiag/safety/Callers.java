package io.github.vtdiag.safety;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.UseIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The places where methods are called, or lambdas of them are created. Each method is searched
 * once.
 */
final class Callers {
  /**
   * The most methods that may call a method; the arguments of one with more callers are unknown.
   */
  private static final int MOST = 60;

  private final UseIndex uses;
  private final Bodies bodies;
  private final CallTargets targets;
  private final Map<MethodName, List<Caller>> known = new HashMap<>();

  /** A place where a method is called, or a lambda of it is created. */
  record Caller(MethodName method, int bci) {}

  Callers(UseIndex uses, Bodies bodies, CallTargets targets) {
    this.uses = uses;
    this.bodies = bodies;
    this.targets = targets;
  }

  /** Returns the callers of a method; empty, too, if there are more than {@link #MOST}. */
  List<Caller> of(MethodName method) {
    List<Caller> found = known.get(method);
    if (found == null) {
      found = find(method);
      known.put(method, found);
    }
    return found;
  }

  /** Returns whether a method of the program may call this one, as far as its code tells. */
  boolean mayBeCalled(MethodName method) {
    Set<MethodName> all = uses.callers(method.signature());
    return all.size() > MOST
        || !of(method).isEmpty()
        || all.stream().anyMatch(name -> !bodies.of(name).isKnown());
  }

  private List<Caller> find(MethodName method) {
    Set<MethodName> all = uses.callers(method.signature());
    List<Caller> found = new ArrayList<>();
    if (all.size() > MOST) {
      return found;
    }
    for (MethodName name : all) {
      Body caller = bodies.of(name);
      if (caller.isKnown()) {
        caller.calls(
            (bci, each) -> {
              if (mayRun(each, method)) {
                found.add(new Caller(name, bci));
              }
            });
      }
    }
    return found;
  }

  private boolean mayRun(AbstractInsnNode each, MethodName method) {
    return switch (each) {
      case MethodInsnNode call ->
          targets.mayRun(call, method) && targets.mayBeOf(call.owner, method);
      case InvokeDynamicInsnNode lambda ->
          Arrays.stream(lambda.bsmArgs)
              .anyMatch(
                  of ->
                      targets.refersTo(of, method)
                          && targets.mayBeOf(((Handle) of).getOwner(), method));
      default -> false;
    };
  }
}
