package io.github.vtdiag.locksite;

import io.github.vtdiag.model.LoopTarget;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Loops that give up their turn until another thread has changed what they read. They may call what
 * they like, so they are no proof that a thread only waits: one that would end the loop has to be
 * seen to wait for its turn.
 */
final class YieldLoops {
  private static final Set<String> TURNS =
      Set.of("java/lang/Thread.yield", "java/lang/Thread.onSpinWait");

  private YieldLoops() {}

  /**
   * Returns the fields that such a loop around that line reads: numbers, flags and atomic variables
   * if there are any. Empty if there is no such loop, or if it writes a field or an array.
   */
  static Set<LoopTarget> reads(List<MethodCode> methods, String method, int line) {
    return CodeLoop.around(methods, method, line).stream()
        .map(YieldLoops::reads)
        .filter(reads -> !reads.isEmpty())
        .findFirst()
        .orElse(Set.of());
  }

  private static Set<LoopTarget> reads(CodeLoop loop) {
    BitSet round = loop.round();
    List<AbstractInsnNode> all = round.stream().mapToObj(loop.code().instructions::get).toList();
    if (all.stream().noneMatch(YieldLoops::isTurn) || all.stream().anyMatch(YieldLoops::writes)) {
      return Set.of();
    }
    Set<LoopTarget> counts = reads(all.stream(), YieldLoops::isCountOrFlag);
    return counts.isEmpty() ? reads(all.stream(), field -> true) : counts;
  }

  private static Set<LoopTarget> reads(
      Stream<AbstractInsnNode> all, Predicate<FieldInsnNode> isSo) {
    return all.filter(FieldInsnNode.class::isInstance)
        .map(FieldInsnNode.class::cast)
        .filter(field -> !field.owner.equals(BusyWaits.UNIT))
        .filter(isSo)
        .map(BusyWaits::target)
        .collect(Collectors.toSet());
  }

  private static boolean isCountOrFlag(FieldInsnNode field) {
    return Type.getType(field.desc).getSort() < Type.ARRAY
        || field.desc.startsWith("L" + BusyWaits.ATOMIC);
  }

  private static boolean isTurn(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call && BusyWaits.isOneOf(call, TURNS);
  }

  private static boolean writes(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    return (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE)
        || (instruction instanceof FieldInsnNode field && BusyWaits.writes(field));
  }
}
