package io.github.vtdiag.agent.probe;

import io.github.vtdiag.agent.jvm.JdkInternals;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Notes the failed tasks of Netty's {@code HashedWheelTimer}, which logs the exception and lives
 * on. Without that nothing distinguishes a task that schedules itself and failed from one that has
 * nothing to do any more. The call stands at the beginning of the handler and neither takes nor
 * returns anything, so no frame of the method changes.
 */
final class CaughtFailures implements ClassFileTransformer {
  /** The end of the name: others relocate the class. */
  private static final String TIMEOUT = "io/netty/util/HashedWheelTimer$HashedWheelTimeout";

  private static final String NOTES = "io.github.vtdiag.boot.Mounts";
  private static final String CAUGHT = "java/lang/Throwable";

  /** Begins to add the calls, also to classes that are loaded already. */
  void install(Instrumentation instrumentation) throws UnmodifiableClassException {
    instrumentation.addTransformer(this, true);
    retransform(instrumentation);
  }

  /** Removes the calls. */
  void remove(Instrumentation instrumentation) throws UnmodifiableClassException {
    if (instrumentation.removeTransformer(this)) {
      retransform(instrumentation);
    }
  }

  private static void retransform(Instrumentation instrumentation)
      throws UnmodifiableClassException {
    Class<?>[] loaded =
        JdkInternals.loadedClasses(instrumentation).stream()
            .filter(type -> type.getName().replace('.', '/').endsWith(TIMEOUT))
            .filter(instrumentation::isModifiableClass)
            .toArray(Class<?>[]::new);
    if (loaded.length > 0) {
      instrumentation.retransformClasses(loaded);
    }
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String className,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    return className != null && className.endsWith(TIMEOUT) && BootClasses.isSeenBy(loader, NOTES)
        ? weave(classFile)
        : null;
  }

  static byte[] weave(byte[] classFile) {
    return MethodWeaver.weave(classFile, (name, method) -> new Handlers(method));
  }

  /** A method that gets the call at the beginning of each handler of all exceptions. */
  private static final class Handlers extends MethodVisitor {
    private final Set<Label> handlers = new HashSet<>();
    private boolean begins;

    Handlers(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      super.visitTryCatchBlock(start, end, handler, type);
      if (CAUGHT.equals(type)) {
        handlers.add(handler);
      }
    }

    @Override
    public void visitLabel(Label label) {
      super.visitLabel(label);
      begins |= handlers.contains(label);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
      if (begins) { // A handler begins with the instruction that stores what was caught.
        begins = false;
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, NOTES.replace('.', '/'), "failed", "()V", false);
      }
      super.visitVarInsn(opcode, variable);
    }
  }
}
