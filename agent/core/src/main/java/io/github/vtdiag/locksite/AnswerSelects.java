package io.github.vtdiag.locksite;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Loops that wait for events of connections until they have an answer, which their method returns,
 * or until a buffer is full. An event loop goes on until somebody ends it, and returns nothing.
 */
final class AnswerSelects {
  /** The classes whose content may be what a loop waits for. */
  private static final Set<String> CONTENT =
      Set.of(
          "java/lang/String",
          "java/lang/StringBuilder",
          "java/lang/StringBuffer",
          "java/io/ByteArrayOutputStream");

  private static final Set<String> OF_BUFFERS = Set.of("hasRemaining", "remaining", "position");

  private static final Set<String> CLOCK = Set.of("nanoTime", "currentTimeMillis", "millis");

  /** The number of instructions of a statement that are read. */
  private static final int STATEMENT = 8;

  /** The ways in which a loop may end. */
  private enum End {
    BUFFER,
    VARIABLE,
    END_OF_STREAM,
    OTHER
  }

  private AnswerSelects() {}

  /** Returns whether that line is in such a loop, and no other loop is around it. */
  static boolean at(List<MethodCode> methods, String method, int line) {
    List<CodeLoop> loops = CodeLoop.around(methods, method, line);
    return loops.stream().mapToInt(CodeLoop::first).distinct().count() == 1
        && loops.stream()
            .max(Comparator.comparingInt(CodeLoop::last))
            .filter(loop -> !accepts(loop.code()) && endsByAnswer(loop))
            .isPresent();
  }

  /**
   * Returns whether a loop around that line may end by itself, without an answer: it asks for the
   * time, or counts its rounds.
   */
  static boolean endsInTime(List<MethodCode> methods, String method, int line) {
    return CodeLoop.around(methods, method, line).stream()
        .anyMatch(
            loop -> {
              BitSet round = loop.round();
              return round.stream()
                  .anyMatch(i -> asksTime(loop.code(), i) || isByCount(loop.code(), i, round));
            });
  }

  private static boolean asksTime(MethodCode code, int i) {
    return code.instructions.get(i) instanceof MethodInsnNode call
        && (CLOCK.contains(call.name) || call.owner.startsWith("java/time/"));
  }

  /** Returns whether a branch leaves the loop by a variable that each round adds one to. */
  private static boolean isByCount(MethodCode code, int branch, BitSet round) {
    return code.instructions.get(branch) instanceof JumpInsnNode
        && code.successors(branch).stream().anyMatch(next -> !round.get(next))
        && statement(code, branch)
            .anyMatch(
                variable ->
                    round.stream()
                        .anyMatch(
                            i ->
                                code.instructions.get(i) instanceof IincInsnNode counted
                                    && counted.var == variable));
  }

  /** Returns the variables that the branch and its line read or change before it. */
  private static IntStream statement(MethodCode code, int branch) {
    return IntStream.iterate(code.before(branch), i -> i > 0, code::before)
        .limit(STATEMENT)
        .takeWhile(i -> code.line(i) == code.line(branch))
        .mapToObj(code.instructions::get)
        .flatMapToInt(
            each ->
                switch (each) {
                  case VarInsnNode load -> IntStream.of(load.var);
                  case IincInsnNode counted -> IntStream.of(counted.var);
                  default -> IntStream.empty();
                });
  }

  /** Returns whether a method accepts connections: it is a server's. */
  private static boolean accepts(MethodCode code) {
    return IntStream.range(0, code.size())
        .mapToObj(code.instructions::get)
        .anyMatch(
            each ->
                each instanceof MethodInsnNode call
                    && (call.name.equals("isAcceptable")
                        || call.owner.equals("java/nio/channels/ServerSocketChannel")));
  }

  private static boolean endsByAnswer(CodeLoop loop) {
    MethodCode code = loop.code();
    BitSet round = loop.round();
    return round.stream()
        .anyMatch(
            i ->
                code.successors(i).stream()
                    .filter(next -> !round.get(next))
                    .anyMatch(next -> isAnswer(code, i, next, round)));
  }

  private static boolean isAnswer(MethodCode code, int branch, int next, BitSet round) {
    return switch (end(code, branch)) {
      case BUFFER -> !throwsAtOnce(code, next);
      case VARIABLE ->
          returnsValue(code, next, round, Opcodes.IRETURN) || usesContent(code, next, round);
      case END_OF_STREAM -> returnsValue(code, next, round, Opcodes.ARETURN);
      case OTHER -> false;
    };
  }

  private static End end(MethodCode code, int branch) {
    List<AbstractInsnNode> condition = CountedPolls.condition(code, branch);
    if (!(code.instructions.get(branch) instanceof JumpInsnNode) || condition.isEmpty()) {
      return End.OTHER;
    }
    if (condition.stream().anyMatch(AnswerSelects::asksBuffer)) {
      return End.BUFFER;
    }
    if (isEndOfStream(code.opcode(branch), condition)) {
      return End.END_OF_STREAM;
    }
    return condition.stream().allMatch(AnswerSelects::isOfContent) ? End.VARIABLE : End.OTHER;
  }

  private static boolean asksBuffer(AbstractInsnNode each) {
    return each instanceof MethodInsnNode call
        && call.owner.startsWith("java/nio/")
        && OF_BUFFERS.contains(call.name);
  }

  /** Returns whether it tests for what {@code read} returns at the end: a negative number. */
  private static boolean isEndOfStream(int branch, List<AbstractInsnNode> condition) {
    boolean negative =
        switch (branch) {
          case Opcodes.IFLT, Opcodes.IFGE, Opcodes.IFGT, Opcodes.IFLE -> true;
          case Opcodes.IF_ICMPEQ, Opcodes.IF_ICMPNE ->
              condition.getFirst().getOpcode() == Opcodes.ICONST_M1;
          default -> false;
        };
    return negative
        && condition.stream()
            .allMatch(
                each ->
                    each instanceof MethodInsnNode call
                        ? call.name.equals("read")
                        : !(each instanceof FieldInsnNode));
  }

  /** Returns false for flags that are fields, and for calls that may ask for anything else. */
  private static boolean isOfContent(AbstractInsnNode each) {
    return switch (each) {
      case FieldInsnNode field -> !field.desc.equals("Z");
      case MethodInsnNode call ->
          CONTENT.contains(call.owner)
              || (call.owner.startsWith("java/util/") && !call.owner.contains("concurrent"))
              || call.name.toLowerCase(Locale.ROOT).contains("complete");
      default -> true;
    };
  }

  private static boolean throwsAtOnce(MethodCode code, int from) {
    int first = code.from(from);
    return code.opcode(first) == Opcodes.NEW && !reaches(code, first);
  }

  /** Returns whether a way leads from there to the end of the method, rather than to a throw. */
  private static boolean reaches(MethodCode code, int from) {
    return outside(code, from, new BitSet()).stream().anyMatch(code::returns);
  }

  /**
   * Returns whether the method returns, from there on, more than a constant.
   *
   * @param least the lowest number of an instruction that returns enough
   */
  private static boolean returnsValue(MethodCode code, int from, BitSet round, int least) {
    return outside(code, from, round).stream()
        .anyMatch(
            i ->
                code.opcode(i) >= least
                    && code.opcode(i) < Opcodes.RETURN
                    && !isConstant(code, code.before(i)));
  }

  /** Returns whether the method uses, from there on, what the loop has put together. */
  private static boolean usesContent(MethodCode code, int from, BitSet round) {
    BitSet after = outside(code, from, round);
    return round.stream()
        .filter(i -> code.opcode(i) == Opcodes.ALOAD)
        .map(i -> ((VarInsnNode) code.instructions.get(i)).var)
        .distinct()
        .filter(variable -> isContent(code, variable, round))
        .anyMatch(
            variable ->
                after.stream()
                    .anyMatch(
                        i ->
                            code.opcode(i) == Opcodes.ALOAD
                                && ((VarInsnNode) code.instructions.get(i)).var == variable));
  }

  /**
   * Returns whether the variable has something that is made before the loop, to put bytes into. The
   * compiler uses its place again for what comes later.
   */
  private static boolean isContent(MethodCode code, int variable, BitSet round) {
    List<Integer> stores = code.stores(variable);
    return stores.stream().noneMatch(round::get)
        && stores.stream()
            .filter(i -> i < round.nextSetBit(0))
            .reduce((first, second) -> second)
            .filter(
                i ->
                    code.instructions.get(code.before(i)) instanceof MethodInsnNode made
                        && made.name.equals("<init>")
                        && CONTENT.contains(made.owner))
            .isPresent();
  }

  private static boolean isConstant(MethodCode code, int i) {
    int opcode = code.opcode(i);
    return (opcode >= Opcodes.ACONST_NULL && opcode <= Opcodes.DCONST_1)
        || (opcode == Opcodes.ALOAD && isNull(code, ((VarInsnNode) code.instructions.get(i)).var));
  }

  /** Returns whether nothing but null is stored there, as before resources are closed. */
  private static boolean isNull(MethodCode code, int variable) {
    List<Integer> stores = code.stores(variable);
    return !stores.isEmpty()
        && stores.stream()
            .allMatch(store -> code.opcode(code.before(store)) == Opcodes.ACONST_NULL);
  }

  /** Returns the instructions that follow, without those of the loop. */
  private static BitSet outside(MethodCode code, int from, BitSet round) {
    BitSet reached = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      int i = open.remove();
      if (!round.get(i) && !reached.get(i)) {
        reached.set(i);
        open.addAll(code.successors(i));
      }
    }
    return reached;
  }
}
