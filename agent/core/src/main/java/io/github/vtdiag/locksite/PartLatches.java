package io.github.vtdiag.locksite;

import java.util.List;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Latches and semaphores that a method makes for several parts of its work, and awaits. A latch
 * that keeps a program alive is made for one.
 */
final class PartLatches {
  private static final String LATCH = "java/util/concurrent/CountDownLatch";
  private static final String SEMAPHORE = "java/util/concurrent/Semaphore";

  private PartLatches() {}

  /** Returns whether such a latch or semaphore is awaited on that line. */
  static boolean awaits(MethodCode code, int line) {
    return IntStream.range(0, code.size())
        .filter(i -> code.line(i) == line)
        .anyMatch(
            i ->
                (isCall(code, i, LATCH, "await") && isOfParts(code, variable(code, i)))
                    || (isAcquireOfSeveral(code, i) && isMade(code, variable(code, i), SEMAPHORE)));
  }

  /** Returns whether a call takes a permit of each of several parts. */
  private static boolean isAcquireOfSeveral(MethodCode code, int i) {
    return isCall(code, i, SEMAPHORE, "acquire")
        && ((MethodInsnNode) code.instructions.get(i)).desc.startsWith("(I)")
        && code.opcode(i - 1) != Opcodes.ICONST_1;
  }

  private static boolean isCall(MethodCode code, int i, String owner, String name) {
    return code.instructions.get(i) instanceof MethodInsnNode call
        && call.owner.equals(owner)
        && call.name.equals(name);
  }

  /** Returns the variable of what is awaited: the last one that was loaded; -1 if none was. */
  private static int variable(MethodCode code, int await) {
    for (int i = await - 1; i >= 0 && !(code.instructions.get(i) instanceof MethodInsnNode); i--) {
      if (code.opcode(i) == Opcodes.ALOAD) {
        return ((VarInsnNode) code.instructions.get(i)).var;
      }
    }
    return -1;
  }

  private static boolean isOfParts(MethodCode code, int variable) {
    return isMade(code, variable, LATCH)
        && code.opcode(code.stores(variable).getFirst() - 2) != Opcodes.ICONST_1;
  }

  /** Returns whether the method has made the object in that variable itself. */
  private static boolean isMade(MethodCode code, int variable, String owner) {
    List<Integer> stores = code.stores(variable);
    return stores.size() == 1 && isCall(code, stores.getFirst() - 1, owner, "<init>");
  }
}
