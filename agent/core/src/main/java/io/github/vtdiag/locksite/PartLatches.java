package io.github.vtdiag.locksite;

import java.util.List;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Latches that a method makes for several parts of its work, and awaits. A latch that keeps a
 * program alive is made for one.
 */
final class PartLatches {
  private static final String LATCH = "java/util/concurrent/CountDownLatch";

  private PartLatches() {}

  /** Returns whether such a latch is awaited on that line. */
  static boolean awaits(MethodCode code, int line) {
    return IntStream.range(0, code.size())
        .filter(i -> code.line(i) == line && isCall(code, i, "await"))
        .anyMatch(i -> isOfParts(code, latch(code, i)));
  }

  private static boolean isCall(MethodCode code, int i, String name) {
    return code.instructions.get(i) instanceof MethodInsnNode call
        && call.owner.equals(LATCH)
        && call.name.equals(name);
  }

  /** Returns the variable whose latch is awaited: the last one that was loaded; -1 if none was. */
  private static int latch(MethodCode code, int await) {
    for (int i = await - 1; i >= 0 && !(code.instructions.get(i) instanceof MethodInsnNode); i--) {
      if (code.opcode(i) == Opcodes.ALOAD) {
        return ((VarInsnNode) code.instructions.get(i)).var;
      }
    }
    return -1;
  }

  private static boolean isOfParts(MethodCode code, int variable) {
    List<Integer> stores =
        IntStream.range(0, code.size())
            .filter(
                i ->
                    code.opcode(i) == Opcodes.ASTORE
                        && ((VarInsnNode) code.instructions.get(i)).var == variable)
            .boxed()
            .toList();
    return stores.size() == 1
        && isCall(code, stores.getFirst() - 1, "<init>")
        && code.opcode(stores.getFirst() - 2) != Opcodes.ICONST_1;
  }
}
