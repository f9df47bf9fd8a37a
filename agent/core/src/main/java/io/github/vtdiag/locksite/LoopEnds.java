package io.github.vtdiag.locksite;

import io.github.vtdiag.model.LoopTarget;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** The fields that decide when a loop ends, whatever else it does. */
final class LoopEnds {
  private LoopEnds() {}

  /** Returns them for the only loop around a line; none if anything else may end it. */
  static Set<LoopTarget> fields(List<MethodCode> methods, String method, int line) {
    List<CodeLoop> loops = CodeLoop.around(methods, method, line);
    // A condition at the end of a loop jumps back, too.
    return loops.stream().mapToInt(CodeLoop::first).distinct().count() == 1
        ? fields(Collections.max(loops, Comparator.comparingInt(CodeLoop::last)))
        : Set.of();
  }

  private static Set<LoopTarget> fields(CodeLoop loop) {
    Set<LoopTarget> fields = new HashSet<>();
    BitSet round = loop.round();
    for (int i = round.nextSetBit(0); i >= 0; i = round.nextSetBit(i + 1)) {
      if (loop.code().successors(i).stream().anyMatch(next -> !round.get(next))) {
        Set<LoopTarget> tested = tested(loop.code(), i);
        if (tested.isEmpty()) {
          return Set.of();
        }
        fields.addAll(tested);
      }
    }
    boolean ownWrites =
        round.stream().anyMatch(i -> BusyWaits.writes(loop.code().instructions.get(i), fields));
    return ownWrites ? Set.of() : fields;
  }

  /**
   * Returns the fields that a branch compares, or whose atomic contents it does: with zero, a
   * constant or each other. None if it compares anything else.
   */
  private static Set<LoopTarget> tested(MethodCode code, int branch) {
    Set<LoopTarget> fields = new HashSet<>();
    int at = branch;
    for (int left = operands(code.opcode(branch)); left > 0; left--) {
      at = code.before(at);
      if (isConstant(code, at)) {
        continue;
      }
      if (code.instructions.get(at) instanceof MethodInsnNode call
          && call.owner.startsWith(BusyWaits.ATOMIC)
          && call.name.startsWith("get")
          && call.desc.startsWith("()")) {
        at = code.before(at);
      }
      if (!(code.instructions.get(at) instanceof FieldInsnNode field)) {
        return Set.of();
      }
      fields.add(BusyWaits.target(field));
      if (field.getOpcode() == Opcodes.GETFIELD) {
        at = code.before(at);
        if (left > 1 && code.opcode(at) != Opcodes.ALOAD) {
          return Set.of(); // Where the other one is read is not clear.
        }
      }
    }
    return fields;
  }

  private static int operands(int opcode) {
    return switch (opcode) {
      case Opcodes.IFNULL, Opcodes.IFNONNULL -> 1;
      case Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE -> 2;
      default -> {
        if (opcode >= Opcodes.IFEQ && opcode <= Opcodes.IFLE) {
          yield 1;
        }
        yield opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ICMPLE ? 2 : 0;
      }
    };
  }

  private static boolean isConstant(MethodCode code, int at) {
    return code.opcode(at) >= Opcodes.ACONST_NULL && code.opcode(at) <= Opcodes.LDC;
  }
}
