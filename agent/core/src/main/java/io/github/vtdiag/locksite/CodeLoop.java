package io.github.vtdiag.locksite;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A loop of a method.
 *
 * @param first the index of the instruction to which it jumps back
 * @param last the index of the jump
 */
record CodeLoop(MethodCode code, int first, int last) {
  /** Returns the loops around that line in methods of that name. */
  static List<CodeLoop> around(List<MethodCode> methods, String method, int line) {
    List<CodeLoop> loops = new ArrayList<>();
    for (MethodCode code : methods) {
      if (code.name.equals(method)) {
        for (int last = 0; last < code.size(); last++) {
          endingAt(code, last)
              .filter(loop -> covers(code, loop.first, loop.last, line))
              .ifPresent(loops::add);
        }
      }
    }
    return loops;
  }

  /** Returns whether the innermost loop around one of these lines is that around the other. */
  static boolean areInOne(List<MethodCode> methods, String method, int line, int other) {
    return methods.stream()
        .filter(code -> code.name.equals(method))
        .anyMatch(
            code -> {
              OptionalInt innermost = innermost(code, line);
              return innermost.isPresent() && innermost.equals(innermost(code, other));
            });
  }

  /** Returns where the innermost loop around that line begins. */
  private static OptionalInt innermost(MethodCode code, int line) {
    return around(List.of(code), code.name, line).stream().mapToInt(CodeLoop::first).max();
  }

  /** Returns the loop whose jump back is that instruction; empty if it is none. */
  static Optional<CodeLoop> endingAt(MethodCode code, int last) {
    return code.instructions.get(last) instanceof JumpInsnNode jump
            && code.index(jump.label) <= last
        ? Optional.of(new CodeLoop(code, code.index(jump.label), last))
        : Optional.empty();
  }

  /**
   * Returns whether, on that line, a thread takes from an object that the same method has made. The
   * method makes another one before the thread comes there again.
   */
  static boolean takesFromItsOwn(List<MethodCode> methods, String method, int line) {
    for (MethodCode code : methods) {
      for (int i = 1; i < code.size() && code.name.equals(method); i++) {
        if (code.line(i) == line
            && code.instructions.get(i) instanceof MethodInsnNode call
            && call.name.equals("take")
            && code.instructions.get(i - 1) instanceof VarInsnNode taken
            && isMadeBefore(code, i, taken.var, around(methods, method, line))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isMadeBefore(
      MethodCode code, int take, int variable, List<CodeLoop> loops) {
    List<Integer> stores = code.stores(variable);
    return stores.size() == 1
        && stores.getFirst() < take
        && code.instructions.get(stores.getFirst() - 1) instanceof MethodInsnNode made
        && made.name.equals("<init>")
        && loops.stream().allMatch(loop -> loop.has(code, stores.getFirst()));
  }

  private static boolean covers(MethodCode code, int first, int last, int line) {
    for (int i = first; i <= last; i++) {
      if (code.opcode(i) >= 0 && code.line(i) == line) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("ReferenceEquality") // one method or not is the question
  boolean has(MethodCode method, int index) {
    return code == method && first <= index && index <= last;
  }

  /** Returns the instructions after which a thread may go round once more. */
  BitSet round() {
    BitSet round = new BitSet();
    round.set(last);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = last - 1; i >= first; i--) {
        if (!round.get(i) && next(i).anyMatch(round::get)) {
          round.set(i);
          changed = true;
        }
      }
    }
    return round;
  }

  private IntStream next(int i) {
    return IntStream.concat(
        code.successors(i).stream().mapToInt(Integer::intValue),
        code.tryCatchBlocks.stream()
            .filter(block -> mayThrow(code.opcode(i)))
            .filter(block -> code.index(block.start) <= i && i < code.index(block.end))
            .mapToInt(block -> code.index(block.handler)));
  }

  /** Returns false for what only moves values, and for branches. */
  private static boolean mayThrow(int opcode) {
    return (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD)
        || (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE)
        || (opcode >= Opcodes.IDIV && opcode <= Opcodes.LREM)
        || (opcode >= Opcodes.GETSTATIC && opcode <= Opcodes.MONITOREXIT)
        || opcode == Opcodes.MULTIANEWARRAY
        || opcode == Opcodes.LDC;
  }

  /**
   * The instructions after a call that keep what it returns, up to the branch that leaves the loop
   * if it is anything, neither null nor 0; none if there is no such branch. The branch may be at
   * the head of the loop, on the variable that has it.
   *
   * @param beats the instructions in between that do not matter
   */
  BitSet untilAny(int call, BitSet round, BitSet beats) {
    BitSet kept = new BitSet();
    int i = call + 1;
    int variable = -1;
    while (i < last && (keeps(i) || beats.get(i))) {
      if (code.opcode(i) == Opcodes.ASTORE) {
        variable = ((VarInsnNode) code.instructions.get(i)).var;
      }
      kept.set(i++);
    }
    if (i == last && code.opcode(i) == Opcodes.GOTO && loadsObject(real(first), variable)) {
      i = real(real(first) + 1);
    }
    boolean leaves =
        switch (code.opcode(i)) {
          case Opcodes.IFNONNULL, Opcodes.IFNE ->
              !round.get(code.index(((JumpInsnNode) code.instructions.get(i)).label));
          case Opcodes.IFNULL, Opcodes.IFEQ -> !round.get(i + 1);
          default -> false;
        };
    kept.set(i, leaves);
    return leaves ? kept : new BitSet();
  }

  /**
   * The instructions that follow a call and go on from it without an exception; none if such a way
   * leads round the loop once more.
   */
  BitSet successes(int call) {
    BitSet reached = new BitSet();
    BitSet next = new BitSet();
    next.set(call + 1);
    for (int i = call + 1; i >= 0; i = next.nextSetBit(0)) {
      next.clear(i);
      reached.set(i);
      code.successors(i).stream().filter(to -> !reached.get(to)).forEach(next::set);
    }
    return reached.get(first) ? new BitSet() : reached;
  }

  private boolean loadsObject(int i, int variable) {
    return code.opcode(i) == Opcodes.ALOAD
        && ((VarInsnNode) code.instructions.get(i)).var == variable;
  }

  private int real(int i) {
    int real = i;
    while (real < last && code.opcode(real) < 0) {
      real++;
    }
    return real;
  }

  private boolean keeps(int i) {
    return switch (code.opcode(i)) {
      case -1, Opcodes.CHECKCAST, Opcodes.DUP, Opcodes.ASTORE, Opcodes.ALOAD -> true;
      case Opcodes.DUP2, Opcodes.LSTORE, Opcodes.LLOAD, Opcodes.LCONST_0, Opcodes.LCMP -> true;
      default -> false;
    };
  }

  /** Returns whether a branch leaves the loop if there is null, and goes on with it otherwise. */
  boolean leavesIfNull(int i, BitSet round) {
    boolean ifNull = code.opcode(i) == Opcodes.IFNULL;
    if (!ifNull && code.opcode(i) != Opcodes.IFNONNULL) {
      return false;
    }
    boolean jumps = round.get(code.index(((JumpInsnNode) code.instructions.get(i)).label));
    return ifNull ? !jumps : jumps && !round.get(i + 1);
  }

  /**
   * Returns whether an instruction adds something to a variable that does not decide when the loop
   * ends.
   */
  boolean counts(int i, BitSet round) {
    int variable =
        switch (code.instructions.get(i)) {
          case IincInsnNode increment -> increment.var;
          case VarInsnNode store when adds(store, i) -> store.var;
          default -> -1;
        };
    return variable >= 0
        && round.stream().noneMatch(at -> isLoad(at, variable) && decides(at, round));
  }

  /** Returns whether it is {@code count += n}. */
  private boolean adds(VarInsnNode store, int i) {
    int sum = code.before(i);
    boolean isSum =
        switch (code.opcode(sum)) {
          case Opcodes.IADD, Opcodes.LADD, Opcodes.ISUB, Opcodes.LSUB -> true;
          default -> false;
        };
    return isSum && isLoad(code.before(code.before(sum)), store.var);
  }

  private boolean isLoad(int i, int variable) {
    int opcode = code.opcode(i);
    return opcode >= Opcodes.ILOAD
        && opcode <= Opcodes.DLOAD
        && code.instructions.get(i) instanceof VarInsnNode load
        && load.var == variable;
  }

  /** Returns whether the instruction's statement ends in a branch that can leave the loop. */
  private boolean decides(int i, BitSet round) {
    int branch = i;
    while (branch < last && next(branch).count() < 2 && !endsStatement(branch)) {
      branch++;
    }
    return next(branch).anyMatch(target -> !round.get(target));
  }

  private boolean endsStatement(int i) {
    int opcode = code.opcode(i);
    return (opcode >= Opcodes.ISTORE && opcode <= Opcodes.SASTORE)
        || opcode == Opcodes.POP
        || opcode == Opcodes.POP2
        || (code.instructions.get(i) instanceof MethodInsnNode call && call.desc.endsWith(")V"));
  }

  /** Returns whether the instruction stores a caught exception, which lasts for this round only. */
  boolean catches(int i) {
    int after = code.before(i);
    return code.opcode(i) == Opcodes.ASTORE
        && code.tryCatchBlocks.stream()
            .mapToInt(block -> code.index(block.handler))
            .anyMatch(handler -> after < handler && handler < i);
  }
}
