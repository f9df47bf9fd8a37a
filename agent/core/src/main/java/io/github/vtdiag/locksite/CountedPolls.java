package io.github.vtdiag.locksite;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Loops that poll a queue until they have had a number of elements, unlike those of workers, which
 * poll for ever. A round that gets nothing changes nothing that ends the loop.
 */
final class CountedPolls {
  /** The number of instructions of a condition that are read. */
  private static final int CONDITION = 6;

  private CountedPolls() {}

  /** Returns whether that line polls in such a loop, and no other loop is around it. */
  static boolean at(List<MethodCode> methods, String method, int line) {
    List<CodeLoop> loops = CodeLoop.around(methods, method, line);
    return loops.stream().mapToInt(CodeLoop::first).distinct().count() == 1
        && loops.stream()
            .max(Comparator.comparingInt(CodeLoop::last))
            .filter(loop -> isCounted(loop, line))
            .isPresent();
  }

  private static boolean isCounted(CodeLoop loop, int line) {
    MethodCode code = loop.code();
    BitSet round = loop.round();
    int[] polls =
        round.stream()
            .filter(i -> code.instructions.get(i) instanceof MethodInsnNode call && isPoll(call))
            .toArray();
    if (polls.length != 1 || code.line(polls[0]) != line) {
      return false;
    }
    int test = testOfNull(code, polls[0]);
    if (test < 0) {
      return false;
    }
    int target = code.index(((JumpInsnNode) code.instructions.get(test)).label);
    BitSet idle =
        round(
            code,
            round,
            test,
            loop.first(),
            code.opcode(test) == Opcodes.IFNULL ? target : test + 1);
    Set<Integer> deciding = new HashSet<>();
    boolean ends = false;
    for (int i = idle.nextSetBit(0); i >= 0; i = idle.nextSetBit(i + 1)) {
      if (i != test && code.successors(i).stream().anyMatch(next -> !round.get(next))) {
        boolean bySize = readsSize(code, i);
        Set<Integer> variables = variables(code, i);
        boolean byCount =
            variables.stream()
                .anyMatch(
                    variable ->
                        round.stream().anyMatch(at -> !idle.get(at) && sets(code, at, variable)));
        if (!bySize && !byCount) {
          return false;
        }
        deciding.addAll(variables);
        ends = true;
      }
    }
    return ends && idle.stream().allMatch(i -> isIdle(code, i, deciding));
  }

  private static boolean isPoll(MethodInsnNode call) {
    return QueueCalls.isTake(call) && call.name.startsWith("poll") && call.desc.startsWith("(J");
  }

  /** Returns the branch on whether the call has returned anything; negative if there is none. */
  private static int testOfNull(MethodCode code, int poll) {
    for (int i = poll + 1; i < code.size(); i++) {
      switch (code.opcode(i)) {
        case -1, Opcodes.CHECKCAST, Opcodes.DUP, Opcodes.ASTORE, Opcodes.ALOAD -> {
          // keeps it
        }
        case Opcodes.IFNULL, Opcodes.IFNONNULL -> {
          return i;
        }
        default -> {
          return -1;
        }
      }
    }
    return -1;
  }

  /** Returns the instructions of a round in which the queue is empty. */
  private static BitSet round(MethodCode code, BitSet round, int test, int first, int ifNull) {
    BitSet idle = new BitSet();
    Deque<Integer> next = new ArrayDeque<>(List.of(first, ifNull));
    while (!next.isEmpty()) {
      int i = next.remove();
      if (round.get(i) && !idle.get(i)) {
        idle.set(i);
        if (i != test) {
          next.addAll(code.successors(i));
        }
      }
    }
    return idle;
  }

  /** Returns the instructions of a branch's line before it, up to one that decides or stores. */
  static List<AbstractInsnNode> condition(MethodCode code, int branch) {
    return IntStream.iterate(code.before(branch), i -> i > 0, code::before)
        .limit(CONDITION)
        .takeWhile(i -> code.line(i) == code.line(branch))
        .mapToObj(code.instructions::get)
        .takeWhile(
            read ->
                !(read instanceof JumpInsnNode)
                    && !(read instanceof IincInsnNode)
                    && (read.getOpcode() < Opcodes.ISTORE || read.getOpcode() > Opcodes.SASTORE))
        .toList();
  }

  private static Set<Integer> variables(MethodCode code, int branch) {
    Set<Integer> variables = new HashSet<>();
    for (AbstractInsnNode read : condition(code, branch)) {
      if (read instanceof VarInsnNode load) {
        variables.add(load.var);
      }
    }
    return variables;
  }

  private static boolean readsSize(MethodCode code, int branch) {
    return condition(code, branch).stream()
        .anyMatch(read -> read instanceof MethodInsnNode call && isSize(call));
  }

  private static boolean isSize(MethodInsnNode call) {
    return call.owner.startsWith("java/util/") && call.name.equals("size");
  }

  private static boolean sets(MethodCode code, int i, int variable) {
    return switch (code.instructions.get(i)) {
      case IincInsnNode increment -> increment.var == variable;
      case VarInsnNode store -> store.getOpcode() >= Opcodes.ISTORE && store.var == variable;
      default -> false;
    };
  }

  /** Returns whether an instruction only waits, tells of it, or counts what does not decide. */
  private static boolean isIdle(MethodCode code, int i, Set<Integer> deciding) {
    return switch (code.instructions.get(i)) {
      case FieldInsnNode field ->
          field.getOpcode() == Opcodes.GETFIELD || field.getOpcode() == Opcodes.GETSTATIC;
      case InvokeDynamicInsnNode call -> call.name.equals("makeConcatWithConstants");
      case MethodInsnNode call -> isPoll(call) || isSize(call) || BusyWaits.isPause(call);
      default ->
          deciding.stream().noneMatch(variable -> sets(code, i, variable))
              && !(code.opcode(i) >= Opcodes.IASTORE && code.opcode(i) <= Opcodes.SASTORE);
    };
  }
}
