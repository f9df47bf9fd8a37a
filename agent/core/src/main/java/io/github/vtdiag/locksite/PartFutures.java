package io.github.vtdiag.locksite;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Futures that a method makes of its work, and waits for. A future that keeps a program alive is
 * completed by whoever ends it, and nobody combines its result with another one.
 */
final class PartFutures {
  private static final String FUTURE = "java/util/concurrent/CompletableFuture";

  /** The methods that make a future of a task, or of two results. */
  private static final Set<String> RESULTS =
      Set.of(
          "supplyAsync",
          "runAsync",
          "thenCombine",
          "thenCombineAsync",
          "thenAcceptBoth",
          "thenAcceptBothAsync");

  /**
   * The methods that make a future of the ends of several, or of the first of them, which may be
   * those of services.
   */
  private static final Set<String> ENDS =
      Set.of("allOf", "anyOf", "runAfterBoth", "runAfterBothAsync");

  /** The methods after which another future decides, of which nothing is known. */
  private static final Set<String> OTHER = Set.of("thenCompose", "thenComposeAsync");

  private PartFutures() {}

  /** Returns whether, on that line, a thread waits for the results of its tasks. */
  static boolean awaitsResults(MethodCode code, int line) {
    return awaits(code, line, RESULTS);
  }

  /** Returns whether, on that line, a thread waits until several futures are complete. */
  static boolean awaitsAll(MethodCode code, int line) {
    return awaits(code, line, ENDS);
  }

  private static boolean awaits(MethodCode code, int line, Set<String> methods) {
    return IntStream.range(0, code.size())
        .filter(i -> code.line(i) == line && isWait(code, i))
        .mapToObj(i -> made(code, i))
        .anyMatch(
            made ->
                made.stream().anyMatch(methods::contains)
                    && made.stream().noneMatch(OTHER::contains));
  }

  private static boolean isWait(MethodCode code, int i) {
    return code.instructions.get(i) instanceof MethodInsnNode call
        && call.owner.startsWith("java/util/concurrent/")
        && call.desc.startsWith("()")
        && (call.name.equals("join") || call.name.equals("get"));
  }

  /** Returns the methods that made the future for which a call waits, as far as is known. */
  private static Set<String> made(MethodCode code, int call) {
    Set<String> made = calledBefore(code, call);
    int before = code.before(call);
    if (!made.isEmpty() || code.opcode(before) != Opcodes.ALOAD) {
      return made;
    }
    int variable = ((VarInsnNode) code.instructions.get(before)).var;
    List<Integer> stores = code.stores(variable);
    return stores.size() == 1 ? calledBefore(code, stores.getFirst()) : Set.of();
  }

  /** Returns the methods of futures that the same statement has called before. */
  private static Set<String> calledBefore(MethodCode code, int end) {
    Set<String> called = new HashSet<>();
    for (int i = end - 1; i >= 0 && !endsStatement(code, i); i--) {
      if (code.instructions.get(i) instanceof MethodInsnNode call && call.owner.equals(FUTURE)) {
        called.add(call.name);
      }
    }
    return called;
  }

  private static boolean endsStatement(MethodCode code, int i) {
    int opcode = code.opcode(i);
    return (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE)
        || opcode == Opcodes.POP
        || opcode == Opcodes.POP2
        || (opcode >= Opcodes.IFEQ && opcode <= Opcodes.RETURN)
        || opcode == Opcodes.PUTFIELD
        || opcode == Opcodes.PUTSTATIC
        || opcode == Opcodes.ATHROW;
  }
}
