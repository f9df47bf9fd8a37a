package io.github.vtdiag.rewrite;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.JSRInlinerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The subroutines ({@code jsr} and {@code ret}) to which compilers before Java 6 turned {@code
 * finally}. One subroutine serves paths on which a lock is held and paths on which it is not. So it
 * cannot stay in a method whose monitors are followed: each call gets a copy.
 */
final class Subroutines {
  private Subroutines() {}

  /**
   * Returns the method with its subroutines copied to where they are called; itself if it has none.
   */
  static MethodNode inline(MethodNode method) {
    for (AbstractInsnNode each : method.instructions) {
      if (each.getOpcode() == Opcodes.JSR) {
        String[] thrown = method.exceptions.toArray(String[]::new);
        MethodNode inlined =
            new JSRInlinerAdapter(
                null, method.access, method.name, method.desc, method.signature, thrown);
        method.accept(inlined);
        return inlined;
      }
    }
    return method;
  }
}
