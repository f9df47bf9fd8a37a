package io.github.vtdiag.locksite;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** The calls on one line of a method. */
final class NamedCalls {
  private NamedCalls() {}

  /** Tests whether the line calls a method handle, and no method of that name. */
  static boolean isHandle(MethodCode code, int line, String callee) {
    boolean handle = false;
    for (int i = 0; i < code.size(); i++) {
      if (code.opcode(i) >= 0
          && code.line(i) == line
          && code.instructions.get(i) instanceof MethodInsnNode call) {
        if (call.name.equals(callee)) {
          return false;
        }
        handle |=
            call.owner.equals("java/lang/invoke/MethodHandle") && call.name.startsWith("invoke");
      }
    }
    return handle;
  }

  /** Tests whether the line calls one of these methods directly on the result of another one. */
  static boolean isOnResult(MethodCode code, int line, Set<String> callees, String receiver) {
    for (int i = 0; i < code.size(); i++) {
      if (code.opcode(i) >= 0
          && code.line(i) == line
          && code.instructions.get(i) instanceof MethodInsnNode call
          && callees.contains(call.name)
          && code.instructions.get(made(code, i)) instanceof MethodInsnNode made
          && made.name.equals(receiver)) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether the line calls a method of that name by an interface of {@code java.sql}. */
  static boolean isOfDatabase(MethodCode code, int line, String callee) {
    for (int i = 0; i < code.size(); i++) {
      if (code.opcode(i) == Opcodes.INVOKEINTERFACE
          && code.line(i) == line
          && code.instructions.get(i) instanceof MethodInsnNode call
          && call.name.equals(callee)
          && (call.owner.startsWith("java/sql/") || call.owner.startsWith("javax/sql/"))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the instruction before a call, apart from a cast. */
  private static int made(MethodCode code, int call) {
    int before = code.before(call);
    return code.opcode(before) == Opcodes.CHECKCAST ? code.before(before) : before;
  }
}
