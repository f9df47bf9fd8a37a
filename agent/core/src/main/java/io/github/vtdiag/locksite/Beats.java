package io.github.vtdiag.locksite;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Instructions that only tell that a loop is alive: they count its rounds in a field or an adder,
 * or note the time. A loop that does nothing else while it waits gets nowhere.
 */
final class Beats {
  private static final Set<String> CLOCKS =
      Set.of(
          "java/lang/System.nanoTime",
          "java/lang/System.currentTimeMillis",
          "java/time/Instant.now",
          "java/time/LocalDateTime.now");

  private static final Set<String> ADDERS = Set.of("increment", "decrement");

  private static final Set<String> COUNTS =
      Set.of("incrementAndGet", "getAndIncrement", "decrementAndGet", "getAndDecrement");

  /** The most instructions of a method that only beats, with labels and line numbers. */
  private static final int MAX_INSTRUCTIONS = 60;

  private Beats() {}

  /**
   * Finds them.
   *
   * @param round the instructions in question: what they write and what else reads it there
   * @param classes returns the methods of the classes of that name, as {@code com/example/Foo}
   */
  static BitSet of(MethodCode code, BitSet round, Function<String, List<MethodCode>> classes) {
    BitSet beats = direct(code, round);
    for (int i = round.nextSetBit(0); i >= 0; i = round.nextSetBit(i + 1)) {
      if (code.instructions.get(i) instanceof MethodInsnNode call && onlyBeats(call, classes)) {
        beats.set(i);
      }
    }
    return beats;
  }

  private static BitSet direct(MethodCode code, BitSet round) {
    BitSet beats = new BitSet();
    for (int i = round.nextSetBit(0); i >= 0; i = round.nextSetBit(i + 1)) {
      switch (code.instructions.get(i)) {
        case FieldInsnNode field when BusyWaits.writes(field) -> addWrite(code, i, round, beats);
        case MethodInsnNode call when call.owner.startsWith(BusyWaits.ATOMIC) ->
            addCount(code, i, call, round, beats);
        default -> {
          // is no beat by itself
        }
      }
    }
    return beats;
  }

  /** Adds {@code field += n} and {@code field = System.nanoTime()}. */
  private static void addWrite(MethodCode code, int write, BitSet round, BitSet beats) {
    FieldInsnNode field = (FieldInsnNode) code.instructions.get(write);
    int value = code.before(write);
    if (code.instructions.get(value) instanceof MethodInsnNode call
        && isClock(call)
        && reads(code, field, round) == 0) {
      beats.set(value);
      beats.set(write);
      return;
    }
    int constant = code.before(value);
    int load = code.before(constant);
    boolean adds = code.opcode(value) == Opcodes.IADD || code.opcode(value) == Opcodes.LADD;
    if (adds
        && isConstant(code.opcode(constant))
        && code.instructions.get(load) instanceof FieldInsnNode read
        && isSame(read, field)
        && reads(code, field, round) == 1) {
      beats.set(load);
      beats.set(write);
    }
  }

  /** Adds a call that counts, if nobody looks at the count there. */
  private static void addCount(
      MethodCode code, int i, MethodInsnNode call, BitSet round, BitSet beats) {
    int load = code.before(i);
    boolean drops =
        call.desc.endsWith(")V") ? ADDERS.contains(call.name) : isDropped(code, i, call);
    if (drops
        && call.desc.startsWith("()")
        && code.instructions.get(load) instanceof FieldInsnNode field
        && reads(code, field, round) == 1) {
      beats.set(load);
      beats.set(i);
    }
  }

  /** Returns whether the call tells the time. */
  static boolean isClock(MethodInsnNode call) {
    return CLOCKS.contains(call.owner + "." + call.name);
  }

  private static boolean isDropped(MethodCode code, int i, MethodInsnNode call) {
    int next = code.from(i + 1);
    return COUNTS.contains(call.name)
        && (code.opcode(next) == Opcodes.POP || code.opcode(next) == Opcodes.POP2);
  }

  private static boolean onlyBeats(
      MethodInsnNode call, Function<String, List<MethodCode>> classes) {
    if (call.owner.startsWith("java/") || !call.desc.equals("()V")) {
      return false;
    }
    return StateQueries.isEach(call, classes, Beats::onlyBeats);
  }

  private static boolean onlyBeats(MethodCode code) {
    if (code.size() == 0 || code.size() > MAX_INSTRUCTIONS) {
      return false;
    }
    BitSet all = new BitSet();
    all.set(0, code.size());
    BitSet beats = direct(code, all);
    return !beats.isEmpty()
        && IntStream.range(0, code.size())
            .allMatch(i -> beats.get(i) || isHarmless(code.instructions.get(i)));
  }

  private static boolean isHarmless(AbstractInsnNode instruction) {
    return switch (instruction) {
      case MethodInsnNode call -> false;
      case InvokeDynamicInsnNode call -> false;
      case JumpInsnNode jump -> false;
      case FieldInsnNode field -> !BusyWaits.writes(field);
      default ->
          !BusyWaits.changes(instruction)
              && instruction.getOpcode() != Opcodes.ATHROW
              && instruction.getOpcode() != Opcodes.NEW;
    };
  }

  private static long reads(MethodCode code, FieldInsnNode field, BitSet round) {
    return round.stream()
        .mapToObj(code.instructions::get)
        .filter(
            instruction ->
                instruction instanceof FieldInsnNode other
                    && !BusyWaits.writes(other)
                    && isSame(other, field))
        .count();
  }

  private static boolean isSame(FieldInsnNode one, FieldInsnNode other) {
    return one.owner.equals(other.owner) && one.name.equals(other.name);
  }

  private static boolean isConstant(int opcode) {
    return opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.LDC;
  }
}
