package io.github.vtdiag.locksite;

import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Reads under a {@code StampedLock} that a loop repeats until no thread has written meanwhile. If a
 * writer never gives the lock back, such a loop never ends.
 */
final class OptimisticReads {
  private static final String LOCK = "java/util/concurrent/locks/StampedLock";

  private OptimisticReads() {}

  /**
   * Returns the instructions that read something for this round only; none if the loop does not
   * read optimistically, or may end at some time.
   */
  static BitSet of(CodeLoop loop, BitSet round) {
    BitSet reads = new BitSet();
    List<MethodInsnNode> calls = calls(loop, round);
    if (calls.stream().noneMatch(call -> isOfLock(call, "tryOptimisticRead"))
        || calls.stream().noneMatch(call -> isOfLock(call, "validate"))
        || calls.stream().anyMatch(Beats::isClock)) {
      return reads;
    }
    for (int i = round.nextSetBit(0); i >= 0; i = round.nextSetBit(i + 1)) {
      reads.set(
          i,
          switch (loop.code().instructions.get(i)) {
            case FieldInsnNode field -> !BusyWaits.writes(field);
            case MethodInsnNode call -> call.name.equals("tryOptimisticRead");
            case VarInsnNode store -> isStore(store) && isStoredFirst(loop, store.var);
            default -> false;
          });
    }
    return reads;
  }

  private static boolean isOfLock(MethodInsnNode call, String method) {
    return call.owner.equals(LOCK) && call.name.equals(method);
  }

  private static List<MethodInsnNode> calls(CodeLoop loop, BitSet round) {
    return round.stream()
        .mapToObj(loop.code().instructions::get)
        .filter(MethodInsnNode.class::isInstance)
        .map(MethodInsnNode.class::cast)
        .toList();
  }

  /** Returns whether a round does not see what the one before has stored in a variable. */
  private static boolean isStoredFirst(CodeLoop loop, int variable) {
    for (int i = loop.first(); i <= loop.last(); i++) {
      if (loop.code().instructions.get(i) instanceof VarInsnNode use && use.var == variable) {
        return isStore(use);
      }
    }
    return false;
  }

  private static boolean isStore(VarInsnNode use) {
    return use.getOpcode() >= Opcodes.ISTORE && use.getOpcode() <= Opcodes.ASTORE;
  }
}
