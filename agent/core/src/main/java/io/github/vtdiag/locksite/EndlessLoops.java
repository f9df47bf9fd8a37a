package io.github.vtdiag.locksite;

import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Loops that do nothing but wait and ask, in each round, and that neither a number of rounds nor
 * the clock ends.
 */
final class EndlessLoops {
  private EndlessLoops() {}

  /** Returns whether there is one around that line. */
  static boolean at(
      List<MethodCode> methods,
      String method,
      int line,
      Function<String, List<MethodCode>> classes) {
    return CodeLoop.around(methods, method, line).stream()
        .anyMatch(loop -> isEndless(loop, classes));
  }

  private static boolean isEndless(CodeLoop loop, Function<String, List<MethodCode>> classes) {
    BitSet round = loop.round();
    BitSet sleeps = Sleeps.of(loop.code(), round, classes);
    return round.stream()
        .filter(i -> !sleeps.get(i))
        .allMatch(i -> isHarmless(loop, i, round, classes));
  }

  private static boolean isHarmless(
      CodeLoop loop, int i, BitSet round, Function<String, List<MethodCode>> classes) {
    AbstractInsnNode instruction = loop.code().instructions.get(i);
    return switch (instruction) {
      case FieldInsnNode field -> !BusyWaits.writes(field);
      case MethodInsnNode call ->
          !Beats.isClock(call)
              && (BusyWaits.isPause(call)
                  || BusyWaits.isQuestion(call)
                  || isWait(call)
                  || readsState(call)
                  || StateQueries.isState(call, classes));
      default -> !BusyWaits.changes(instruction) || loop.counts(i, round) || loop.catches(i);
    };
  }

  /** Returns whether the call waits for a while, and tells whether that was enough. */
  private static boolean isWait(MethodInsnNode call) {
    return call.owner.startsWith("java/util/concurrent/")
        && call.desc.endsWith("JL" + BusyWaits.UNIT + ";)Z");
  }

  /** Returns whether the call only reads something of a collection or a task of the JDK. */
  private static boolean readsState(MethodInsnNode call) {
    return call.owner.startsWith("java/util/")
        && call.desc.startsWith("()")
        && (call.name.startsWith("is")
            || call.name.equals("size")
            || (call.name.startsWith("get") && !call.name.contains("And")));
  }
}
