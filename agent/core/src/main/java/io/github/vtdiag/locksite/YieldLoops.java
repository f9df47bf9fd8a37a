package io.github.vtdiag.locksite;

import io.github.vtdiag.model.LoopTarget;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
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
  private static final Set<String> YIELD = Set.of("java/lang/Thread.yield");
  private static final Set<String> SPIN = Set.of("java/lang/Thread.onSpinWait");

  private YieldLoops() {}

  /** Finds such a loop around that line. It writes no field and no array. */
  static Optional<TurnLoop> around(List<MethodCode> methods, String method, int line) {
    return CodeLoop.around(methods, method, line).stream()
        .flatMap(loop -> turns(loop).stream())
        .findFirst();
  }

  private static Optional<TurnLoop> turns(CodeLoop loop) {
    BitSet round = loop.round();
    List<AbstractInsnNode> all = round.stream().mapToObj(loop.code().instructions::get).toList();
    boolean yields = calls(all, YIELD);
    if (all.stream().anyMatch(YieldLoops::writes) || !(yields || calls(all, SPIN))) {
      return Optional.empty();
    }
    Set<LoopTarget> counts = reads(all.stream(), YieldLoops::isCountOrFlag);
    Set<LoopTarget> reads = counts.isEmpty() ? reads(all.stream(), field -> true) : counts;
    return reads.isEmpty() ? Optional.empty() : Optional.of(new TurnLoop(reads, yields));
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

  private static boolean calls(List<AbstractInsnNode> all, Set<String> methods) {
    return all.stream()
        .anyMatch(
            instruction ->
                instruction instanceof MethodInsnNode call && BusyWaits.isOneOf(call, methods));
  }

  private static boolean writes(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    return (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE)
        || (instruction instanceof FieldInsnNode field && BusyWaits.writes(field));
  }
}
