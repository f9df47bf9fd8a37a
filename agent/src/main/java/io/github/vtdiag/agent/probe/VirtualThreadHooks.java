package io.github.vtdiag.agent.probe;

import io.github.vtdiag.agent.jvm.HeapRoom;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Adds calls to {@code java.lang.VirtualThread}, whose shape stays as it is: where a carrier mounts
 * a thread, where a thread is woken, and where a pinned thread parks. Each stands before the
 * method's first instruction, takes nothing but the thread and returns nothing, so no frame of the
 * method changes. It is in the way of every start of an application, so it is ASM alone: Byte Buddy
 * would load some 650 classes for these calls.
 */
public final class VirtualThreadHooks implements ClassFileTransformer {
  static final String HOOKED = "java.lang.VirtualThread";
  static final String PARKS = "parkOnCarrierThread";
  private static final String MOUNTS = "runContinuation";
  private static final String UNPARKS = "unpark";

  /** What ends a wait for a monitor or in {@code Object.wait}, from JDK 24 on. */
  private static final String UNBLOCKS = "unblock";

  private static final String COUNTER = "io.github.vtdiag.boot.Mounts";
  private static final String PIN_HOOK = "io.github.vtdiag.boot.PinHook";

  private final List<Hook> hooks = new ArrayList<>();

  /**
   * A call at the beginning of a method.
   *
   * @param method the method of this JDK that gets the call
   * @param owner whose method is called, on the bootstrap path
   * @param called the static method that is called
   * @param takesThread whether it takes the virtual thread
   */
  private record Hook(String method, String owner, String called, boolean takesThread) {
    MethodVisitor in(MethodVisitor next) {
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitCode() {
          super.visitCode();
          if (takesThread) {
            super.visitVarInsn(Opcodes.ALOAD, 0);
          }
          super.visitMethodInsn(
              Opcodes.INVOKESTATIC,
              owner.replace('.', '/'),
              called,
              takesThread ? "(Ljava/lang/Object;)V" : "()V",
              false);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
          super.visitMaxs(Math.max(1, maxStack), maxLocals);
        }
      };
    }
  }

  private VirtualThreadHooks(boolean mounts, boolean parks) {
    if (mounts) {
      hooks.add(new Hook(MOUNTS, COUNTER, "mount", true));
      hooks.add(new Hook(UNPARKS, COUNTER, "wake", true));
      hooks.add(new Hook(UNBLOCKS, COUNTER, "wake", true));
    }
    if (parks) {
      hooks.add(new Hook(PARKS, PIN_HOOK, "pinnedPark", false));
    }
  }

  /**
   * Adds the calls.
   *
   * @param mounts whether to count mounts, and to note who wakes whom
   * @param parks whether to call the hook of pinned parks
   * @return what takes them out again
   */
  public static VirtualThreadHooks install(
      Instrumentation instrumentation, boolean mounts, boolean parks)
      throws ReflectiveOperationException, IOException, UnmodifiableClassException {
    VirtualThreadHooks hooks = new VirtualThreadHooks(mounts, parks);
    // Once for nothing, so that the JVM waits only for the weaving, not for all that it loads.
    hooks.weave(BootClasses.readOfJdk(HOOKED));
    if (!HeapRoom.isThere()) {
      throw new IllegalStateException("the heap is nearly full");
    }
    Map<String, byte[]> called = new LinkedHashMap<>();
    for (Hook hook : hooks.hooks) {
      called.put(hook.owner, BootClasses.read(hook.owner));
    }
    BootClasses.define(instrumentation, called);
    for (String name : called.keySet()) {
      // Not by the first carrier, in the middle of a mount.
      Class.forName(name, true, null);
    }
    instrumentation.addTransformer(hooks, true);
    // Not initialized: that is when the scheduler of virtual threads reads its properties.
    instrumentation.retransformClasses(Class.forName(HOOKED, false, null));
    return hooks;
  }

  /** Takes the calls out again. */
  public void remove(Instrumentation instrumentation)
      throws ReflectiveOperationException, UnmodifiableClassException {
    if (instrumentation.removeTransformer(this)) {
      instrumentation.retransformClasses(Class.forName(HOOKED, false, null));
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
    if (loader != null || !HOOKED.replace('.', '/').equals(className)) {
      return null;
    }
    return weave(classFile);
  }

  private byte[] weave(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    ClassVisitor adder =
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, thrown);
            for (Hook hook : hooks) {
              method = hook.method.equals(name) ? hook.in(method) : method;
            }
            return method;
          }
        };
    reader.accept(adder, 0);
    return writer.toByteArray();
  }
}
