package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Recursion under a lock. Where it overflows the stack, the JVM releases a monitor all the same;
 * {@code unlock()} is a call, for which there is no room either, and the lock is held for ever.
 *
 * <p>A method counts that calls itself, on whatever object, or does so through private methods and
 * lambdas. Calls that come back on other ways are everywhere, and mostly have a bound.
 */
final class Recursion {
  private Recursion() {}

  static Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    for (MonitorSite site : lock.sites()) {
      if (mayReachItself(site, program)) {
        return Refusal.of(
            RefusalReason.RECURSION,
            site.use().where()
                + " calls itself while it holds the lock: if that overflows the stack, unlock() may"
                + " fail, and the lock stays held");
      }
    }
    return Optional.empty();
  }

  private static boolean mayReachItself(MonitorSite site, WholeProgram program) {
    MethodName start = site.use().method;
    Deque<MethodName> open =
        new ArrayDeque<>(
            called(
                program.bodies().of(start).calls(site.site().region()::holdsAt), start, program));
    Set<MethodName> seen = new HashSet<>();
    while (!open.isEmpty()) {
      MethodName at = open.remove();
      if (at.equals(start)) {
        return true;
      }
      if (seen.add(at) && program.hierarchy().method(at).orElseThrow().has(ACC_PRIVATE)) {
        open.addAll(called(program.bodies().of(at).calls(bci -> true), start, program));
      }
    }
    return false;
  }

  /** The methods of the first one's class that calls run. */
  private static Set<MethodName> called(
      List<AbstractInsnNode> calls, MethodName start, WholeProgram program) {
    Set<MethodName> called = new HashSet<>();
    for (AbstractInsnNode each : calls) {
      switch (each) {
        case MethodInsnNode call -> {
          MethodName method = new MethodName(start.owner(), call.name, call.desc);
          boolean isExact = call.getOpcode() == INVOKESTATIC || call.getOpcode() == INVOKESPECIAL;
          if (isExact ? call.owner.equals(start.owner()) : isInTree(call.owner, start, program)) {
            called.add(method);
          }
        }
        case InvokeDynamicInsnNode lambda -> {
          for (Object argument : lambda.bsmArgs) {
            if (argument instanceof Handle handle && handle.getOwner().equals(start.owner())) {
              called.add(new MethodName(handle.getOwner(), handle.getName(), handle.getDesc()));
            }
          }
        }
        default -> {}
      }
    }
    called.removeIf(method -> program.hierarchy().method(method).isEmpty());
    return called;
  }

  /** Whether a call on a type may run a method of the class; the JDK's types may be anything. */
  private static boolean isInTree(String type, MethodName start, WholeProgram program) {
    TypeHierarchy hierarchy = program.hierarchy();
    return hierarchy.type(type).isPresent() && hierarchy.isSubtype(start.owner(), type);
  }
}
