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

/** Where methods are called, or lambdas of them are made. Each method is looked for once. */
final class Callers {
  /** What so many methods call is passed anything. */
  private static final int MOST = 60;

  private final UseIndex uses;
  private final Bodies bodies;
  private final CallTargets targets;
  private final Map<MethodName, List<Caller>> known = new HashMap<>();

  /** A call, or where a lambda is made. */
  record Caller(MethodName method, int bci) {}

  Callers(UseIndex uses, Bodies bodies, CallTargets targets) {
    this.uses = uses;
    this.bodies = bodies;
    this.targets = targets;
  }

  /** None, too, if there are very many. */
  List<Caller> of(MethodName method) {
    List<Caller> found = known.get(method);
    if (found == null) {
      found = find(method);
      known.put(method, found);
    }
    return found;
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
