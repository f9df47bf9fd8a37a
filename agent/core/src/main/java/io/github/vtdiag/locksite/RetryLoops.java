package io.github.vtdiag.locksite;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Loops that go round only while what they try does not succeed: after an exception, or while a
 * question has no for an answer and nothing else is done. A loop that may go round after a success,
 * such as one over the elements of a batch, is none.
 */
final class RetryLoops {
  private RetryLoops() {}

  /**
   * Finds the loop around a line.
   *
   * @return empty if there is none, or more than one, or if it may go round after a success
   */
  static Optional<RetryLoop> at(List<MethodCode> methods, String method, int line) {
    List<CodeLoop> loops = CodeLoop.around(methods, method, line);
    if (loops.isEmpty()
        || loops.stream().anyMatch(loop -> loop.code() != loops.getFirst().code())
        || loops.stream().mapToInt(CodeLoop::first).distinct().count() > 1) {
      return Optional.empty();
    }
    CodeLoop loop = loops.getLast();
    MethodCode code = loop.code();
    BitSet succeeding = succeeding(code, loop.first());
    if (succeeding.stream().noneMatch(i -> code.successors(i).contains(loop.first()))) {
      boolean behind = true;
      for (int i = loop.first(); i <= loop.last(); i++) {
        behind &= code.opcode(i) < 0 || code.line(i) != line || !succeeding.get(i);
      }
      return Optional.of(new RetryLoop(loop.first(), behind, Set.of()));
    }
    Set<String> asked = asked(loop);
    return loops.size() > 1 || asked.isEmpty()
        ? Optional.empty()
        : Optional.of(new RetryLoop(loop.first(), true, asked));
  }

  /** The instructions of a round that come after no exception, up to the one that ends the loop. */
  private static BitSet succeeding(MethodCode code, int first) {
    Optional<VarInsnNode> awaited = awaited(code, first);
    BitSet reached = new BitSet();
    BitSet next = new BitSet();
    next.set(first);
    for (int i = first; i >= 0; i = next.nextSetBit(0)) {
      next.clear(i);
      reached.set(i);
      if (awaited.isEmpty() || !ends(code, i, awaited.get())) {
        code.successors(i).stream().filter(to -> !reached.get(to)).forEach(next::set);
      }
    }
    return reached;
  }

  /** Returns the load of the variable that ends the loop once it is true, or not null. */
  private static Optional<VarInsnNode> awaited(MethodCode code, int first) {
    int load = code.from(first);
    int test = code.from(load + 1);
    boolean leaves = code.opcode(test) == Opcodes.IFNE || code.opcode(test) == Opcodes.IFNONNULL;
    return leaves && code.instructions.get(load) instanceof VarInsnNode variable
        ? Optional.of(variable)
        : Optional.empty();
  }

  /** Returns whether it stores true, or an object, in that variable. */
  private static boolean ends(MethodCode code, int i, VarInsnNode awaited) {
    return code.instructions.get(i) instanceof VarInsnNode store
        && store.var == awaited.var
        && switch (store.getOpcode()) {
          case Opcodes.ISTORE -> code.opcode(i - 1) == Opcodes.ICONST_1;
          case Opcodes.ASTORE -> code.opcode(i - 1) != Opcodes.ACONST_NULL;
          default -> false;
        };
  }

  /**
   * Returns the methods that a round asks, if it does nothing else but pause and tell of it: the
   * branch that follows the last one of them leaves the loop if the answer is yes.
   */
  private static Set<String> asked(CodeLoop loop) {
    MethodCode code = loop.code();
    BitSet round = loop.round();
    OptionalInt last = round.stream().filter(i -> asks(code.instructions.get(i))).max();
    if (last.isEmpty()) {
      return Set.of();
    }
    BitSet kept = until(loop, last.getAsInt(), round);
    Set<String> asked = new HashSet<>();
    boolean application = false;
    for (int i = round.nextSetBit(0); i >= 0; i = round.nextSetBit(i + 1)) {
      AbstractInsnNode instruction = code.instructions.get(i);
      boolean decides = instruction instanceof JumpInsnNode && code.opcode(i) != Opcodes.GOTO;
      if (kept.get(i)) {
        continue;
      }
      if (decides
          || drops(instruction)
          || (instruction instanceof FieldInsnNode field && BusyWaits.writes(field))
          || (BusyWaits.changes(instruction) && !loop.catches(i) && !loop.counts(i, round))) {
        return Set.of();
      }
      if (instruction instanceof MethodInsnNode call && asks(call)) {
        asked.add(call.name);
        application |= !call.owner.startsWith("java/");
        if (call.desc.endsWith(")V")) {
          return Set.of();
        }
      }
    }
    return application && !kept.isEmpty() ? asked : Set.of();
  }

  /** The instructions after a call up to the branch that leaves the loop if the answer is yes. */
  private static BitSet until(CodeLoop loop, int call, BitSet round) {
    BitSet any = loop.untilAny(call, round, new BitSet());
    if (!any.isEmpty()) {
      return any;
    }
    MethodCode code = loop.code();
    int i = code.from(call + 1);
    while (i < loop.last() && isConstant(code.opcode(i))) {
      i = code.from(i + 1);
    }
    boolean leaves =
        switch (code.opcode(i)) {
          case Opcodes.IF_ICMPEQ, Opcodes.IF_ACMPEQ ->
              !round.get(code.index(((JumpInsnNode) code.instructions.get(i)).label));
          case Opcodes.IF_ICMPNE, Opcodes.IF_ACMPNE -> !round.get(i + 1);
          default -> false;
        };
    any.set(i, leaves);
    return any;
  }

  private static boolean isConstant(int opcode) {
    return (opcode >= Opcodes.ACONST_NULL && opcode <= Opcodes.LDC) || opcode == Opcodes.GETSTATIC;
  }

  /** A comparison of texts is a question, too. */
  private static boolean asks(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call
        && (!BusyWaits.isPause(call)
            || (call.owner.equals("java/lang/String") && call.desc.endsWith(")Z")));
  }

  private static boolean drops(AbstractInsnNode instruction) {
    return instruction.getOpcode() == Opcodes.POP || instruction.getOpcode() == Opcodes.POP2;
  }
}
