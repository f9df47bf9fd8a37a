package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.H_INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.H_INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import io.github.vtdiag.program.ClassFile.Method;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.MethodInsnNode;

/** The methods that a call can run, according to the types on the class path. */
final class CallTargets {

  /**
   * The methods that one call can run.
   *
   * @param methods those of the program that have code
   * @param outside whether there may be others: of the JDK, native, of lambdas or made at run time
   */
  record Targets(Set<MethodName> methods, boolean outside) {}

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;

  CallTargets(TypeHierarchy hierarchy, UseIndex uses) {
    this.hierarchy = hierarchy;
    this.uses = uses;
  }

  Targets of(MethodInsnNode call) {
    Set<MethodName> methods = new LinkedHashSet<>();
    boolean isVirtual =
        call.getOpcode() != INVOKESTATIC
            && call.getOpcode() != INVOKESPECIAL
            && !call.owner.startsWith("[");
    boolean outside = isVirtual && uses.mayBeLambda(call.owner);
    for (String type : isVirtual ? hierarchy.subtree(call.owner) : Set.of(call.owner)) {
      outside |= addFound(new MethodName(type, call.name, call.desc), methods);
    }
    return new Targets(methods, outside || methods.isEmpty());
  }

  /** Returns the methods that a call runs on an object of exactly this class. */
  Set<MethodName> on(String type, MethodInsnNode call) {
    Set<MethodName> methods = new LinkedHashSet<>();
    addFound(new MethodName(type, call.name, call.desc), methods);
    return methods;
  }

  /**
   * Adds the methods found for an object of the type; returns whether it may run one outside the
   * program.
   */
  private boolean addFound(MethodName wanted, Set<MethodName> found) {
    for (String at = wanted.owner(); at != null; at = hierarchy.superName(at)) {
      MethodName here = new MethodName(at, wanted.name(), wanted.descriptor());
      if (hierarchy.type(at).isEmpty()) {
        if (!hierarchy.isKnown(at) || hierarchy.isJdkMethod(here)) {
          return true;
        }
        continue;
      }
      Optional<Method> method = hierarchy.method(here);
      if (method.isPresent()) {
        if (method.get().has(ACC_NATIVE)) {
          return true;
        }
        if (!method.get().has(ACC_ABSTRACT)) {
          found.add(here);
        }
        return false;
      }
    }
    boolean outside = false;
    for (String above : hierarchy.ancestors(wanted.owner())) {
      MethodName here = new MethodName(above, wanted.name(), wanted.descriptor());
      if (hierarchy.type(above).isEmpty()) {
        outside |= !hierarchy.isKnown(above) || hierarchy.isJdkMethod(here);
      } else if (hierarchy.isInterface(above)) {
        if (hierarchy.method(here).filter(method -> !method.has(ACC_ABSTRACT)).isPresent()) {
          found.add(here);
        }
      }
    }
    return outside;
  }

  /** Returns whether a call may run a method. */
  boolean mayRun(MethodInsnNode call, MethodName method) {
    if (!call.name.equals(method.name()) || !call.desc.equals(method.descriptor())) {
      return false;
    }
    return mayFind(
        call.owner, call.getOpcode() != INVOKESPECIAL && call.getOpcode() != INVOKESTATIC, method);
  }

  /** Returns whether a constant is a handle that may run a method. */
  boolean refersTo(Object constant, MethodName method) {
    return constant instanceof Handle handle
        && handle.getName().equals(method.name())
        && handle.getDesc().equals(method.descriptor())
        && mayFind(
            handle.getOwner(),
            handle.getTag() == H_INVOKEVIRTUAL || handle.getTag() == H_INVOKEINTERFACE,
            method);
  }

  private boolean mayFind(String owner, boolean isVirtual, MethodName method) {
    if (!isVirtual) {
      return hierarchy.isSubtype(owner, method.owner());
    }
    // An interface's method may be implemented by a superclass that does not know the interface.
    return hierarchy.isInterface(owner)
        || hierarchy.isSubtype(owner, method.owner())
        || hierarchy.isSubtype(method.owner(), owner);
  }

  /** Returns whether an object of the class or interface that a call names can have the method. */
  boolean mayBeOf(String owner, MethodName method) {
    return !hierarchy.isInterface(owner)
        || hierarchy.subtree(method.owner()).stream()
            .anyMatch(type -> hierarchy.isSubtype(type, owner));
  }
}
