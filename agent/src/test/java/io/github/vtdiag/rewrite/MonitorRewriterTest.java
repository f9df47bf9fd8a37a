package io.github.vtdiag.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.boot.Monitors;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/** Classes that javac does not write, rewritten, verified and run. */
class MonitorRewriterTest {
  private static final String NAME = "generated/Type";

  private static byte[] type(int version, String superName, Consumer<ClassWriter> body) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        version, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, NAME, null, superName, new String[0]);
    MethodVisitor init = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    init.visitVarInsn(Opcodes.ALOAD, 0);
    init.visitMethodInsn(Opcodes.INVOKESPECIAL, superName, "<init>", "()V", false);
    init.visitInsn(Opcodes.RETURN);
    init.visitMaxs(1, 1);
    body.accept(writer);
    return writer.toByteArray();
  }

  private static void method(
      ClassWriter writer, int access, String descriptor, Consumer<MethodVisitor> body) {
    MethodVisitor method = writer.visitMethod(access, "call", descriptor, null, null);
    if ((access & Opcodes.ACC_NATIVE) == 0) {
      body.accept(method);
      method.visitMaxs(0, 0);
    }
  }

  private static Optional<byte[]> rewritten(byte[] classFile) throws CannotRewriteException {
    return new MonitorRewriter().rewrite(MonitorRewriterTest.class.getClassLoader(), classFile);
  }

  /** Defined by a loader of its own, so verified. There is no agent that makes the forwarder. */
  private static Class<?> define(byte[] classFile) {
    ClassWriter writer = new ClassWriter(0);
    String monitors = Monitors.class.getName().replace('.', '/');
    new ClassReader(classFile)
        .accept(
            new ClassRemapper(
                writer,
                new SimpleRemapper(Opcodes.ASM9, Map.of(MonitorRewriter.MONITORS, monitors))),
            0);
    byte[] bytes = writer.toByteArray();
    return new ClassLoader(MonitorRewriterTest.class.getClassLoader()) {
      Class<?> define() {
        return defineClass(null, bytes, 0, bytes.length);
      }
    }.define();
  }

  /** Pushes whether the monitor of the value on the stack is held by the real one. */
  private static void returnHoldsLock(MethodVisitor method) {
    method.visitMethodInsn(
        Opcodes.INVOKESTATIC, "java/lang/Thread", "holdsLock", "(Ljava/lang/Object;)Z", false);
    method.visitInsn(Opcodes.IRETURN);
  }

  private static byte[] withNativeMethod(String registering, int access) {
    return type(
        Opcodes.V21,
        "java/lang/Object",
        writer -> {
          method(writer, access | Opcodes.ACC_NATIVE, "()V", method -> {});
          MethodVisitor register = writer.visitMethod(0, "register", "()V", null, null);
          register.visitLdcInsn("c");
          register.visitMethodInsn(
              Opcodes.INVOKESTATIC, registering, "register", "(Ljava/lang/String;)V", false);
          register.visitInsn(Opcodes.RETURN);
          register.visitMaxs(0, 0);
        });
  }

  /** JNA registers a function for every native method, by its name. */
  @Test
  void aSynchronizedMethodThatJnaRegistersIsRefused() throws Exception {
    byte[] type = withNativeMethod("com/sun/jna/Native", Opcodes.ACC_SYNCHRONIZED);
    assertEquals(
        "generated.Type.call is native and synchronized, and JNA registers it by its name",
        assertThrows(CannotRewriteException.class, () -> rewritten(type)).getMessage());
    assertTrue(rewritten(withNativeMethod("com/sun/jna/Native", 0)).isEmpty());
    byte[] other = withNativeMethod("com/sun/jna/Other", Opcodes.ACC_SYNCHRONIZED);
    assertEquals(
        List.of("vtdiag$call"),
        Stream.of(define(rewritten(other).orElseThrow()).getDeclaredMethods())
            .filter(each -> Modifier.isNative(each.getModifiers()))
            .map(Method::getName)
            .toList());
  }

  @Test
  void aMapThatLocksOtherwiseIsRefused() {
    byte[] method =
        type(
            Opcodes.V21,
            "java/lang/Object",
            writer ->
                method(
                    writer,
                    Opcodes.ACC_SYNCHRONIZED,
                    "()V",
                    code -> code.visitInsn(Opcodes.RETURN)));
    assertEquals(
        "generated.Type has a synchronized method, which cannot be changed in a loaded class",
        assertThrows(CannotRewriteException.class, () -> MonitorRewriter.rewriteBins(method))
            .getMessage());
    byte[] none = type(Opcodes.V21, "java/lang/Object", writer -> {});
    assertEquals(
        "generated.Type has no monitor",
        assertThrows(CannotRewriteException.class, () -> MonitorRewriter.rewriteBins(none))
            .getMessage());
  }

  @Test
  void aClassWithoutMonitorsStaysAsItIs() throws CannotRewriteException {
    assertTrue(rewritten(type(Opcodes.V21, "java/lang/Object", writer -> {})).isEmpty());
  }

  @Test
  void aSubclassOfWhatTheJdkLocksKeepsItsMonitors() throws Exception {
    byte[] type =
        type(
            Opcodes.V21,
            "java/util/Properties",
            writer ->
                method(
                    writer,
                    Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNCHRONIZED,
                    "()Z",
                    method -> {
                      method.visitVarInsn(Opcodes.ALOAD, 0);
                      returnHoldsLock(method);
                    }));
    Class<?> defined = define(rewritten(type).orElseThrow());
    Object object = defined.getConstructor().newInstance();
    assertTrue(Modifier.isSynchronized(defined.getMethod("call").getModifiers()));
    assertEquals(true, defined.getMethod("call").invoke(object));
    // Also where the static type does not tell, and there is no class file to ask.
    assertTrue(new MonitorRewriter().isLockedByTheJdk(defined));
    assertFalse(new MonitorRewriter().isLockedByTheJdk(int[].class));
    assertFalse(new MonitorRewriter().isLockedByTheJdk(getClass()));
  }

  /** Compilers other than javac reuse the slot of {@code this}; there are frames on both sides. */
  @Test
  void aMethodThatStoresToSlotZeroStillLeavesItsLock() throws Exception {
    byte[] type =
        type(
            Opcodes.V21,
            "java/lang/Object",
            writer ->
                method(
                    writer,
                    Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNCHRONIZED,
                    "(J)I",
                    method -> {
                      Label again = new Label();
                      Label end = new Label();
                      method.visitLdcInsn("text");
                      method.visitVarInsn(Opcodes.ASTORE, 0);
                      method.visitLabel(again);
                      method.visitFrame(
                          Opcodes.F_FULL,
                          2,
                          new Object[] {"java/lang/String", Opcodes.LONG},
                          0,
                          new Object[0]);
                      method.visitVarInsn(Opcodes.LLOAD, 1);
                      method.visitInsn(Opcodes.LCONST_0);
                      method.visitInsn(Opcodes.LCMP);
                      method.visitJumpInsn(Opcodes.IFLE, end);
                      method.visitVarInsn(Opcodes.LLOAD, 1);
                      method.visitInsn(Opcodes.LCONST_1);
                      method.visitInsn(Opcodes.LSUB);
                      method.visitVarInsn(Opcodes.LSTORE, 1);
                      method.visitJumpInsn(Opcodes.GOTO, again);
                      method.visitLabel(end);
                      method.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
                      method.visitVarInsn(Opcodes.LLOAD, 1);
                      method.visitInsn(Opcodes.LCONST_0);
                      method.visitInsn(Opcodes.LCMP);
                      method.visitInsn(Opcodes.ICONST_1);
                      method.visitInsn(Opcodes.IADD);
                      method.visitVarInsn(Opcodes.ISTORE, 1);
                      method.visitInsn(Opcodes.ICONST_1);
                      method.visitVarInsn(Opcodes.ILOAD, 1);
                      // By zero for a negative argument.
                      method.visitInsn(Opcodes.IDIV);
                      method.visitInsn(Opcodes.IRETURN);
                    }));
    Class<?> defined = define(rewritten(type).orElseThrow());
    Object object = defined.getConstructor().newInstance();
    assertFalse(Modifier.isSynchronized(defined.getMethod("call", long.class).getModifiers()));
    assertEquals(1, defined.getMethod("call", long.class).invoke(object, 5L));
    assertFalse(Monitors.holdsLock(object));
    assertThrows(
        InvocationTargetException.class,
        () -> defined.getMethod("call", long.class).invoke(object, -5L));
    assertFalse(Monitors.holdsLock(object));
  }

  @Test
  void aStaticMethodOfBeforeClassLiteralsLocksItsClass() throws Exception {
    byte[] type =
        type(
            Opcodes.V1_2,
            "java/lang/Object",
            writer ->
                method(
                    writer,
                    Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNCHRONIZED,
                    "(Ljava/lang/Object;)Z",
                    method -> {
                      method.visitVarInsn(Opcodes.ALOAD, 0);
                      returnHoldsLock(method);
                    }));
    Class<?> defined = define(rewritten(type).orElseThrow());
    assertEquals(true, defined.getMethod("call", Object.class).invoke(null, defined));
    assertFalse(Monitors.holdsLock(defined));
  }

  /** As compilers before Java 6 wrote a block in a {@code finally}, and the ways out of it. */
  @Test
  void aSubroutineWithABlockIsCopiedToWhereItIsCalled() throws Exception {
    byte[] type =
        type(
            Opcodes.V1_4,
            "java/lang/Object",
            writer ->
                method(
                    writer,
                    Opcodes.ACC_PUBLIC,
                    "(Ljava/lang/Object;Ljava/lang/Runnable;)I",
                    method -> {
                      Label block = new Label();
                      Label leave = new Label();
                      Label start = new Label();
                      Label end = new Label();
                      Label handler = new Label();
                      Label handled = new Label();
                      method.visitTryCatchBlock(start, end, handler, null);
                      method.visitTryCatchBlock(handler, handled, handler, null);
                      method.visitInsn(Opcodes.ICONST_5);
                      method.visitVarInsn(Opcodes.ISTORE, 7);
                      method.visitJumpInsn(Opcodes.JSR, block);
                      method.visitVarInsn(Opcodes.ILOAD, 7);
                      method.visitInsn(Opcodes.IRETURN);
                      method.visitLabel(block);
                      method.visitVarInsn(Opcodes.ASTORE, 6);
                      method.visitVarInsn(Opcodes.ALOAD, 1);
                      method.visitInsn(Opcodes.DUP);
                      method.visitVarInsn(Opcodes.ASTORE, 3);
                      method.visitInsn(Opcodes.MONITORENTER);
                      method.visitLabel(start);
                      method.visitVarInsn(Opcodes.ALOAD, 2);
                      method.visitMethodInsn(
                          Opcodes.INVOKEINTERFACE, "java/lang/Runnable", "run", "()V", true);
                      method.visitJumpInsn(Opcodes.JSR, leave);
                      method.visitLabel(end);
                      method.visitVarInsn(Opcodes.RET, 6);
                      method.visitLabel(handler);
                      method.visitVarInsn(Opcodes.ASTORE, 4);
                      method.visitJumpInsn(Opcodes.JSR, leave);
                      method.visitLabel(handled);
                      method.visitVarInsn(Opcodes.ALOAD, 4);
                      method.visitInsn(Opcodes.ATHROW);
                      method.visitLabel(leave);
                      method.visitVarInsn(Opcodes.ASTORE, 5);
                      method.visitVarInsn(Opcodes.ALOAD, 3);
                      method.visitInsn(Opcodes.MONITOREXIT);
                      method.visitVarInsn(Opcodes.RET, 5);
                    }));
    Class<?> defined = define(rewritten(type).orElseThrow());
    Object object = defined.getConstructor().newInstance();
    var call = defined.getMethod("call", Object.class, Runnable.class);
    List<Boolean> held = new ArrayList<>();
    Runnable asking = () -> held.add(Monitors.holdsLock(object));
    assertEquals(5, call.invoke(object, object, asking));
    assertEquals(List.of(true), held);
    assertFalse(Monitors.holdsLock(object));
    IllegalStateException thrown = new IllegalStateException();
    Runnable throwing =
        () -> {
          throw thrown;
        };
    var caught =
        assertThrows(InvocationTargetException.class, () -> call.invoke(object, object, throwing));
    assertSame(thrown, caught.getCause());
    assertFalse(Monitors.holdsLock(object));
  }
}
