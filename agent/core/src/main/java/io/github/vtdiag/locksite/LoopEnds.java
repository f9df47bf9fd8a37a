package io.github.vtdiag.locksite;

import io.github.vtdiag.model.LoopTarget;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
        Optional<LoopTarget> field = tested(loop.code(), i);
        if (field.isEmpty()) {
          return Set.of();
        }
        fields.add(field.get());
      }
    }
    return fields;
  }

  /** Returns the field that a branch tests, or whose atomic content it tests. */
  private static Optional<LoopTarget> tested(MethodCode code, int branch) {
    boolean one =
        switch (code.opcode(branch)) {
          case Opcodes.IFEQ, Opcodes.IFNE, Opcodes.IFNULL, Opcodes.IFNONNULL -> true;
          default -> false;
        };
    int before = code.before(branch);
    if (code.instructions.get(before) instanceof MethodInsnNode call
        && call.owner.startsWith(BusyWaits.ATOMIC)
        && call.name.startsWith("get")
        && call.desc.startsWith("()")) {
      before = code.before(before);
    }
    return one && code.instructions.get(before) instanceof FieldInsnNode field
        ? Optional.of(BusyWaits.target(field))
        : Optional.empty();
  }
}
