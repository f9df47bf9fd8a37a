package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.GETSTATIC;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.ClassFile.Method;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The parameters of private methods for which every caller passes the same field, of the very
 * object whose method it calls: they are that field under another name.
 */
final class HelperParameters {
  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final Map<List<Object>, Optional<Field>> known = new HashMap<>();

  HelperParameters(TypeHierarchy hierarchy, UseIndex uses, Bodies bodies) {
    this.hierarchy = hierarchy;
    this.uses = uses;
    this.bodies = bodies;
  }

  /** Returns the field that the parameter in a slot always is. */
  synchronized Optional<Field> field(MethodName method, int slot) {
    List<Object> key = List.of(method, slot);
    Optional<Field> field = known.get(key);
    if (field == null) {
      field = find(method, slot);
      known.put(key, field);
    }
    return field;
  }

  private Optional<Field> find(MethodName name, int slot) {
    Optional<Method> method = hierarchy.method(name);
    if (method.isEmpty()
        || !method.get().has(ACC_PRIVATE)
        || method.get().has(ACC_SYNTHETIC)
        || name.name().equals("<init>")
        || (slot == 0 && !method.get().has(ACC_STATIC))) {
      return Optional.empty();
    }
    Body helper = bodies.of(name);
    if (!helper.isKnown() || isWritten(helper, slot)) {
      return Optional.empty();
    }
    int position = helper.position(slot);
    Optional<Field> found = Optional.empty();
    for (MethodName callerName : uses.callers(name.signature())) {
      Body caller = bodies.of(callerName);
      if (!caller.isKnown()) {
        return Optional.empty();
      }
      for (AbstractInsnNode each : caller.instructions()) {
        if (each instanceof InvokeDynamicInsnNode dynamic && mayRefer(dynamic, name)) {
          return Optional.empty();
        }
        if (each instanceof MethodInsnNode call
            && call.owner.equals(name.owner())
            && name.signature().equals(call.name + call.desc)) {
          Optional<Field> passed = passed(caller, call, position, helper.isStatic());
          if (passed.isEmpty() || (found.isPresent() && !found.equals(passed))) {
            return Optional.empty();
          }
          found = passed;
        }
      }
    }
    return found;
  }

  private static boolean isWritten(Body helper, int slot) {
    for (AbstractInsnNode each : helper.code()) {
      if (each instanceof VarInsnNode variable
          && variable.getOpcode() == ASTORE
          && variable.var == slot) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayRefer(InvokeDynamicInsnNode dynamic, MethodName name) {
    for (Object argument : dynamic.bsmArgs) {
      if (argument instanceof org.objectweb.asm.Handle handle
          && name.signature().equals(handle.getName() + handle.getDesc())) {
        return true;
      }
    }
    return false;
  }

  private Optional<Field> passed(Body caller, MethodInsnNode call, int position, boolean isStatic) {
    List<Origins> arguments = caller.arguments(call);
    Set<Origin> origins = arguments.get(position).all();
    if (origins.size() != 1
        || !(origins.iterator().next().instruction() instanceof FieldInsnNode read)) {
      return Optional.empty();
    }
    Optional<Field> field = hierarchy.field(read.owner, read.name);
    if (read.getOpcode() == GETSTATIC) {
      return field;
    }
    return read.getOpcode() == GETFIELD
            && !isStatic
            && !caller.isStatic()
            && isThis(caller.operand(read, 0))
            && isThis(arguments.getFirst())
        ? field
        : Optional.empty();
  }

  private static boolean isThis(Origins origins) {
    return origins.all().size() == 1
        && origins.all().stream().allMatch(origin -> origin.slot() == 0);
  }
}
