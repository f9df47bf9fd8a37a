package io.github.vtdiag.safety;

import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** The calls of the JDK that copy a collection. */
final class Copies {
  /** The interfaces whose {@code copyOf} copies. */
  private static final Set<String> COPYING_INTERFACES =
      Set.of("java/util/List", "java/util/Set", "java/util/Map");

  /** The classes whose constructor with one collection or map copies it. */
  private static final Set<String> COPYING_CLASSES =
      Set.of(
          "java/util/ArrayDeque",
          "java/util/ArrayList",
          "java/util/HashMap",
          "java/util/HashSet",
          "java/util/LinkedHashMap",
          "java/util/LinkedHashSet",
          "java/util/LinkedList",
          "java/util/TreeMap",
          "java/util/TreeSet");

  private Copies() {}

  /** Returns whether the JDK only reads what it is given, and neither keeps nor locks it. */
  static boolean isCopied(MethodInsnNode call, List<Origins> arguments) {
    if (call.getOpcode() == Opcodes.INVOKESTATIC) {
      return call.name.equals("copyOf") && COPYING_INTERFACES.contains(call.owner);
    }
    // In a subclass, the constructor may call an overridden method.
    return call.name.equals("<init>")
        && COPYING_CLASSES.contains(call.owner)
        && arguments.size() == 2
        && arguments.getFirst().all().stream()
            .allMatch(
                made ->
                    made.instruction() != null
                        && made.instruction().getOpcode() == Opcodes.NEW
                        && made.type().equals(call.owner));
  }
}
