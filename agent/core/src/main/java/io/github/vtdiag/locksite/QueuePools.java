package io.github.vtdiag.locksite;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Queues that are used as pools: code takes an object out of one, and puts it back. It does both
 * itself, or gives the object to its caller, who passes it to another method of the same class. An
 * object may be wrapped before it is given away: see {@link WrappedLoans}.
 */
final class QueuePools {
  /** The most instructions of a method that is followed. */
  private static final int MAX_INSTRUCTIONS = 5_000;

  /** The class of the method, of which no more is asked than that it is one. */
  private static final String OBJECT = "java/lang/Object";

  final MethodCode code;

  /** The frames by instruction index; null for unreachable code. */
  private final Frame<Value>[] frames;

  private QueuePools(MethodCode code, Frame<Value>[] frames) {
    this.code = code;
    this.frames = frames;
  }

  /** Follows the references of a method; empty if that is too much work, or it has no code. */
  static Optional<QueuePools> of(MethodCode code) {
    if (code.size() == 0 || code.size() > MAX_INSTRUCTIONS) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new QueuePools(code, new Analyzer<>(new ValueInterpreter(code)).analyze(OBJECT, code)));
    } catch (AnalyzerException | RuntimeException | AssertionError e) {
      // Code that no verifier would accept, on which ASM fails in many ways.
      return Optional.empty();
    }
  }

  /** Tests whether a method puts back the object that it takes from a queue on that line. */
  static PutsBack itself(MethodCode code, int line) {
    List<Integer> takes = takes(code, line);
    return takes.isEmpty()
        ? PutsBack.NEVER
        : PutsBack.most(
            of(code).stream()
                .flatMap(
                    flow ->
                        takes.stream()
                            .map(take -> flow.after(take, put -> flow.putsBack(put, take)))));
  }

  /**
   * Tests whether the caller of a method that takes an object from a queue on that line, and
   * returns it, passes the object to a method of the same class that puts it back.
   *
   * @param methods those of the class of the first method
   * @param callerLine the line of the call
   * @param classes returns the methods of the classes of that name, as {@code com/example/Foo}
   */
  static PutsBack byCaller(
      List<MethodCode> methods,
      MethodCode code,
      int line,
      MethodCode caller,
      int callerLine,
      Function<String, List<MethodCode>> classes) {
    List<Integer> takes = takes(code, line);
    List<Integer> calls =
        calls(
            caller, callerLine, call -> call.name.equals(code.name) && call.desc.equals(code.desc));
    Optional<QueuePools> pool = takes.isEmpty() || calls.isEmpty() ? Optional.empty() : of(code);
    Optional<QueuePools> user = pool.flatMap(flow -> of(caller));
    return PutsBack.most(
        pool.stream()
            .flatMap(from -> takes.stream().map(take -> from.givenBack(take, methods, classes)))
            .flatMap(
                back ->
                    user.stream()
                        .flatMap(
                            flow ->
                                calls.stream()
                                    .map(
                                        call -> flow.after(call, to -> back.by(flow, to, call))))));
  }

  /** A test for the calls by which a caller gives back what a method has taken for it. */
  interface GivesBack {
    /**
     * Returns whether an instruction of the caller is such a call.
     *
     * @param call the index of an instruction of the caller
     * @param lent the origin of the object that was lent
     */
    boolean by(QueuePools caller, int call, int lent);
  }

  private GivesBack givenBack(
      int take, List<MethodCode> methods, Function<String, List<MethodCode>> classes) {
    Optional<String> field = field(receiver(take));
    if (field.isEmpty()) {
      return (caller, call, lent) -> false;
    }
    return returns(take)
        ? (caller, call, lent) -> caller.passesTo(call, lent, methods, field.get())
        : WrappedLoans.of(this, take, field.get(), methods, classes);
  }

  private static List<Integer> takes(MethodCode code, int line) {
    return calls(code, line, QueueCalls::isTake);
  }

  private static List<Integer> calls(MethodCode code, int line, Predicate<MethodInsnNode> wanted) {
    return IntStream.range(0, code.size())
        .filter(i -> code.line(i) == line)
        .filter(i -> code.instructions.get(i) instanceof MethodInsnNode call && wanted.test(call))
        .boxed()
        .toList();
  }

  /** Tests whether a call comes after an instruction on no, some or each way without exceptions. */
  private PutsBack after(int from, IntPredicate call) {
    BitSet seen = new BitSet();
    BitSet left = new BitSet();
    code.successors(from).forEach(left::set);
    boolean some = false;
    boolean all = true;
    for (int i = left.nextSetBit(0); i >= 0; i = left.nextSetBit(0)) {
      left.clear(i);
      if (seen.get(i)) {
        continue;
      }
      seen.set(i);
      if (call.test(i)) {
        some = true;
        continue;
      }
      // Back at the start, or out of the method, without the call.
      all &= i != from && !code.returns(i);
      if (i != from) {
        successors(i, from).forEach(left::set);
      }
    }
    return some ? all ? PutsBack.ALWAYS : PutsBack.SOMETIMES : PutsBack.NEVER;
  }

  /** Returns the instructions that can come next, where what the first one returned is not null. */
  private List<Integer> successors(int i, int first) {
    if (code.instructions.get(i) instanceof JumpInsnNode jump
        && (jump.getOpcode() == Opcodes.IFNULL || jump.getOpcode() == Opcodes.IFNONNULL)
        && top(i, 0).origins().equals(List.of(first))) {
      return List.of(jump.getOpcode() == Opcodes.IFNULL ? i + 1 : code.index(jump.label));
    }
    return code.successors(i);
  }

  private boolean putsBack(int put, int take) {
    return code.instructions.get(put) instanceof MethodInsnNode call
        && QueueCalls.isPut(call)
        && argument(put, call, 0).origins().contains(take)
        && isSameQueue(receiver(put, call), receiver(take));
  }

  boolean passesTo(int index, int taken, List<MethodCode> methods, String field) {
    if (!(code.instructions.get(index) instanceof MethodInsnNode call)) {
      return false;
    }
    int arguments = Type.getArgumentCount(call.desc);
    return IntStream.range(0, arguments)
        .filter(i -> argument(index, call, i).origins().contains(taken))
        .anyMatch(
            i ->
                methods.stream()
                    .filter(to -> to.name.equals(call.name) && to.desc.equals(call.desc))
                    .anyMatch(to -> putsArgument(to, i, field)));
  }

  /** Returns whether a method puts one of its arguments into the queue of a field. */
  static boolean putsArgument(MethodCode code, int argument, String field) {
    Optional<QueuePools> flow = of(code);
    if (flow.isEmpty()) {
      return false;
    }
    int slot = code.isStatic() ? 0 : 1;
    Type[] types = Type.getArgumentTypes(code.desc);
    for (int i = 0; i < argument; i++) {
      slot += types[i].getSize();
    }
    int parameter = Value.parameter(slot);
    return IntStream.range(0, code.size())
        .anyMatch(
            i ->
                code.instructions.get(i) instanceof MethodInsnNode call
                    && QueueCalls.isPut(call)
                    && flow.get().frames[i] != null
                    && flow.get().argument(i, call, 0).origins().contains(parameter)
                    && flow.get().field(flow.get().receiver(i, call)).equals(Optional.of(field)));
  }

  boolean returns(int origin) {
    return IntStream.range(0, code.size())
        .filter(i -> code.opcode(i) == Opcodes.ARETURN && frames[i] != null)
        .anyMatch(i -> frames[i].getStack(frames[i].getStackSize() - 1).origins().contains(origin));
  }

  Value argument(int index, MethodInsnNode call, int argument) {
    int arguments = Type.getArgumentCount(call.desc);
    return arguments == 0 ? Value.UNKNOWN : top(index, arguments - 1 - argument);
  }

  /** Returns what an instruction finds on top of the stack; unknown in unreachable code. */
  Value top(int index, int below) {
    Frame<Value> frame = frames[index];
    return frame == null || frame.getStackSize() <= below
        ? Value.UNKNOWN
        : frame.getStack(frame.getStackSize() - 1 - below);
  }

  private Value receiver(int index) {
    return receiver(index, (MethodInsnNode) code.instructions.get(index));
  }

  Value receiver(int index, MethodInsnNode call) {
    return call.getOpcode() == Opcodes.INVOKESTATIC
        ? Value.UNKNOWN
        : top(index, Type.getArgumentCount(call.desc));
  }

  private boolean isSameQueue(Value one, Value other) {
    Optional<String> field = field(one);
    return one.isSameObject(other) || (field.isPresent() && field.equals(field(other)));
  }

  /** Returns the field from which a reference was read; empty if it is of another origin. */
  Optional<String> field(Value reference) {
    return reference.origins().size() != 1 || reference.origins().getFirst() < 0
        ? Optional.empty()
        : field(code.instructions.get(reference.origins().getFirst()));
  }

  private static Optional<String> field(AbstractInsnNode instruction) {
    return instruction instanceof FieldInsnNode field
        ? Optional.of(field.owner + "." + field.name)
        : Optional.empty();
  }
}
