package io.github.vtdiag.locksite;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** Where a method puts something into a queue of the JDK, and where it takes from one. */
final class QueueCalls {
  private static final Set<String> PUTS =
      Set.of(
          "add",
          "addFirst",
          "addLast",
          "offer",
          "offerFirst",
          "offerLast",
          "push",
          "put",
          "putFirst",
          "putLast",
          "transfer");

  private QueueCalls() {}

  /**
   * Returns whether the first call that takes from a queue is on that line, after one that puts.
   */
  static boolean putsBefore(MethodCode code, int line) {
    boolean puts = false;
    for (int i = 0; i < code.size(); i++) {
      if (code.instructions.get(i) instanceof MethodInsnNode call) {
        if (isPut(call)) {
          puts = true;
        } else if (isTake(call)) {
          return puts && code.line(i) == line;
        }
      }
    }
    return false;
  }

  static boolean isPut(MethodInsnNode call) {
    return isOfQueue(call) && PUTS.contains(call.name);
  }

  static boolean isTake(MethodInsnNode call) {
    return isOfQueue(call) && (call.name.startsWith("take") || call.name.startsWith("poll"));
  }

  private static boolean isOfQueue(MethodInsnNode call) {
    return call.owner.startsWith("java/util/")
        && (call.owner.endsWith("Queue") || call.owner.endsWith("Deque"));
  }
}
