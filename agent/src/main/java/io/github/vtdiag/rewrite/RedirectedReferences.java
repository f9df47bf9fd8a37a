package io.github.vtdiag.rewrite;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** References to methods that need the monitor, such as {@code this::notifyAll}. */
final class RedirectedReferences {
  private RedirectedReferences() {}

  /**
   * Redirects the method handles of an instruction. Our methods take the receiver as an {@code
   * Object}, but {@code LambdaMetafactory} insists that a captured value has the parameter's very
   * type.
   */
  static void redirect(InvokeDynamicInsnNode dynamic) {
    for (int i = 0; i < dynamic.bsmArgs.length; i++) {
      Handle handle = handle(dynamic.bsmArgs[i]);
      if (handle == null) {
        continue;
      }
      dynamic.bsmArgs[i] = handle;
      Type[] captured = Type.getArgumentTypes(dynamic.desc);
      if (captured.length > 0
          && dynamic.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
        captured[0] = Type.getType(Object.class);
        dynamic.desc = Type.getMethodDescriptor(Type.getReturnType(dynamic.desc), captured);
      }
    }
  }

  static Object redirected(Object constant) {
    Handle handle = handle(constant);
    return handle == null ? constant : handle;
  }

  private static Handle handle(Object constant) {
    return constant instanceof Handle handle ? MonitorRewriter.redirect(handle) : null;
  }
}
