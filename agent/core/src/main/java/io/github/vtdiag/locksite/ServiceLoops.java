package io.github.vtdiag.locksite;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Loops of services, which handle one thing after another. They end by an exception, when nothing
 * more comes, or by a flag; not by a number of rounds or by what has come.
 */
final class ServiceLoops {
  private static final Set<String> FLAGS =
      Set.of("isInterrupted", "interrupted", "isClosed", "isRunning", "isShutdown");

  private static final String ATOMIC = "java/util/concurrent/atomic/AtomicBoolean";

  private ServiceLoops() {}

  /** Returns whether that line is in such a loop. */
  static boolean at(List<MethodCode> methods, String method, int line) {
    return CodeLoop.around(methods, method, line).stream().anyMatch(ServiceLoops::serves);
  }

  private static boolean serves(CodeLoop loop) {
    MethodCode code = loop.code();
    BitSet round = loop.round();
    return round.stream()
        .filter(i -> code.successors(i).stream().anyMatch(next -> leaves(code, next, round)))
        .allMatch(i -> isNull(code.opcode(i)) || isFlag(code, i));
  }

  /** Returns whether that instruction is out of the loop, and no throw. */
  private static boolean leaves(MethodCode code, int next, BitSet round) {
    return !round.get(next) && code.opcode(code.from(next)) != Opcodes.NEW;
  }

  private static boolean isNull(int branch) {
    return branch == Opcodes.IFNULL || branch == Opcodes.IFNONNULL;
  }

  private static boolean isFlag(MethodCode code, int branch) {
    boolean tested = code.opcode(branch) == Opcodes.IFEQ || code.opcode(branch) == Opcodes.IFNE;
    AbstractInsnNode asked = code.instructions.get(code.before(branch));
    return tested
        && switch (asked) {
          case FieldInsnNode field -> field.desc.equals("Z");
          case MethodInsnNode call -> FLAGS.contains(call.name) || call.owner.equals(ATOMIC);
          default -> false;
        };
  }
}
