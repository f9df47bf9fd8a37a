package io.github.vtdiag.locksite;

import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Tells whether the methods of a class would have ended waits further on, had they not failed.
 *
 * @param type the name of the class
 * @param methods its methods
 * @param classes returns the methods of the classes of that name, as {@code com/example/Foo}
 */
record Undone(
    String type,
    List<MethodCode> methods,
    WaitEnd end,
    Function<String, List<MethodCode>> classes) {
  private static final String THROWABLE = "java/lang/Throwable";

  /**
   * Returns whether a method of that name has such an end ahead at that line, and does not come to
   * it by an exception either, as a {@code finally} does.
   */
  boolean isLeft(String method, int line) {
    return methods.stream()
        .filter(code -> code.name.equals(method))
        .anyMatch(code -> isLeft(code, line));
  }

  private boolean isLeft(MethodCode code, int line) {
    BitSet there = new BitSet();
    IntStream.range(0, code.size())
        .filter(i -> code.opcode(i) >= 0 && code.line(i) == line)
        .forEach(there::set);
    BitSet handlers = new BitSet();
    code.tryCatchBlocks.stream()
        .filter(block -> block.type == null || block.type.equals(THROWABLE))
        .filter(
            block -> {
              int first = there.nextSetBit(code.index(block.start));
              return first >= 0 && first < code.index(block.end);
            })
        .forEach(block -> handlers.set(code.index(block.handler)));
    Predicate<AbstractInsnNode> ends =
        BusyWaits.reads(code, end.fields())
            ? act -> isEnd(act) || BusyWaits.setsContent(act)
            : this::isEnd;
    BitSet ahead = reached(code, there);
    ahead.or(reached(code, otherWays(code, there)));
    // The method that is called there has failed, but what it had done is done.
    return ahead.stream()
            .mapToObj(code.instructions::get)
            .anyMatch(act -> ends.test(act) || (isInside(act) && !isAt(code, line, act)))
        && reached(code, handlers).stream()
            .mapToObj(code.instructions::get)
            .noneMatch(act -> ends.test(act) || isInside(act));
  }

  private static boolean isAt(MethodCode code, int line, AbstractInsnNode act) {
    return code.line(code.instructions.indexOf(act)) == line;
  }

  /** Returns where a thread goes on that does not come to these, if they throw an exception. */
  private static BitSet otherWays(MethodCode code, BitSet there) {
    BitSet ways = new BitSet();
    int i =
        there.stream().anyMatch(at -> code.opcode(at) == Opcodes.ATHROW) ? there.nextSetBit(0) : 0;
    while (--i >= 0 && ways.isEmpty()) {
      if (code.successors(i).size() > 1) {
        code.successors(i).forEach(ways::set);
      }
      int handler = i;
      code.tryCatchBlocks.stream()
          .filter(block -> code.index(block.handler) == handler)
          .forEach(block -> ways.set(code.index(block.end)));
    }
    return ways;
  }

  private boolean isEnd(AbstractInsnNode act) {
    return act instanceof MethodInsnNode call
        ? mayBeIn(type) && BusyWaits.isOneOf(call, end.calls())
        : BusyWaits.writes(act, end.fields());
  }

  private boolean mayBeIn(String name) {
    return end.in().isEmpty() || name.equals(end.in()) || name.startsWith(end.in() + "$");
  }

  /** Returns whether a method of the application that is called does it. */
  private boolean isInside(AbstractInsnNode act) {
    return act instanceof MethodInsnNode call
        && !call.name.equals("<init>") // writes another object's fields
        && !call.owner.startsWith("java/")
        && !call.owner.startsWith("[")
        && mayBeIn(call.owner.replace('/', '.'))
        && StateQueries.isEach(
            call,
            classes,
            code ->
                BusyWaits.has(
                    code,
                    inside ->
                        (inside instanceof MethodInsnNode inner
                                && BusyWaits.isOneOf(inner, end.calls()))
                            || BusyWaits.writes(inside, end.fields())));
  }

  /** Returns these instructions and those that come after one of them. */
  private static BitSet reached(MethodCode code, BitSet from) {
    BitSet reached = new BitSet();
    BitSet next = (BitSet) from.clone();
    for (int i = next.nextSetBit(0); i >= 0; i = next.nextSetBit(0)) {
      next.clear(i);
      reached.set(i);
      code.successors(i).stream().filter(to -> !reached.get(to)).forEach(next::set);
    }
    return reached;
  }
}
