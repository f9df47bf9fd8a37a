package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.IASTORE;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ICONST_1;

import io.github.vtdiag.owner.NameList;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** A method of a library that can be told to read the transient fields of objects, too. */
record TransientReader(String owner, String name, String descriptor) {
  static final List<TransientReader> ALL =
      NameList.beside(TransientReader.class, "transient-readers.txt").stream()
          .map(TransientReader::of)
          .toList();

  private static TransientReader of(String line) {
    String[] parts = line.split(" ", -1);
    return new TransientReader(parts[0].replace('.', '/'), parts[1], parts[2]);
  }

  String signature() {
    return name + descriptor;
  }

  /** Returns the position of the object that is read among the arguments; empty if it is any. */
  Optional<Integer> object() {
    return position("java.lang.Object");
  }

  /** Returns whether a call is one of this method and may ask for transient fields. */
  boolean mayReadAll(Body body, MethodInsnNode call) {
    if (!call.owner.equals(owner) || !signature().equals(call.name + call.desc)) {
      return false;
    }
    Optional<Integer> asked = position("boolean");
    if (asked.isEmpty()) {
      return body.instructions().stream().noneMatch(TransientReader::leavesOutTransient);
    }
    // The arguments after it, if each is a constant.
    AbstractInsnNode argument = call.getPrevious();
    for (int i = Type.getArgumentTypes(descriptor).length - 1; i > asked.get(); i--) {
      if (!isConstant(argument)) {
        return true;
      }
      argument = argument.getPrevious();
    }
    return argument == null || argument.getOpcode() != ICONST_0;
  }

  private static boolean isConstant(AbstractInsnNode instruction) {
    return instruction instanceof LdcInsnNode
        || (instruction instanceof InsnNode small && small.getOpcode() <= ICONST_1);
  }

  /**
   * Returns whether an instruction puts modifiers with {@code transient} into an array, to leave
   * such fields out.
   */
  private static boolean leavesOutTransient(AbstractInsnNode instruction) {
    return instruction.getOpcode() == IASTORE
        && instruction.getPrevious() instanceof IntInsnNode constant
        && Modifier.isTransient(constant.operand);
  }

  private Optional<Integer> position(String type) {
    Type[] types = Type.getArgumentTypes(descriptor);
    for (int i = 0; i < types.length; i++) {
      if (types[i].getClassName().equals(type)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }
}
