package vtdiag.agent.probe;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.LinkedHashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Adds calls to {@code java.lang.VirtualThread}, whose shape stays as it is: one where a carrier
 * mounts a thread, and one where a pinned thread parks. Each stands before the method's first
 * instruction, takes nothing and returns nothing, so no frame of the method changes.
 */
public final class VirtualThreadHooks implements ClassFileTransformer {
  static final String HOOKED = "java.lang.VirtualThread";
  static final String PARKS = "parkOnCarrierThread";
  private static final String MOUNTS = "runContinuation";

  private static final String COUNTER = "vtdiag.boot.Mounts";
  private static final String PIN_HOOK = "vtdiag.boot.PinHook";

  /** The methods of this JDK that get a call, and the class and method that it calls. */
  private final Map<String, String[]> calls = new LinkedHashMap<>();

  private VirtualThreadHooks(boolean mounts, boolean parks) {
    if (mounts) {
      calls.put(MOUNTS, new String[] {COUNTER, "mount"});
    }
    if (parks) {
      calls.put(PARKS, new String[] {PIN_HOOK, "pinnedPark"});
    }
  }

  /**
   * Adds the calls.
   *
   * @param mounts whether to count mounts
   * @param parks whether to call the hook of pinned parks
   */
  public static void install(Instrumentation instrumentation, boolean mounts, boolean parks)
      throws ReflectiveOperationException, IOException, UnmodifiableClassException {
    VirtualThreadHooks hooks = new VirtualThreadHooks(mounts, parks);
    // Once for nothing, so that the JVM waits only for the weaving, not for all that it loads.
    hooks.weave(BootClasses.readOfJdk(HOOKED));
    if (!HeapRoom.isThere()) {
      throw new IllegalStateException("the heap is nearly full");
    }
    Map<String, byte[]> called = new LinkedHashMap<>();
    for (String[] call : hooks.calls.values()) {
      called.put(call[0], BootClasses.read(call[0]));
    }
    BootClasses.define(instrumentation, called);
    for (String name : called.keySet()) {
      // Not by the first carrier, in the middle of a mount.
      Class.forName(name, true, null);
    }
    instrumentation.addTransformer(hooks, true);
    // Not initialized: that is when the scheduler of virtual threads reads its properties.
    instrumentation.retransformClasses(Class.forName(HOOKED, false, null));
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
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor method =
                super.visitMethod(access, name, descriptor, signature, exceptions);
            String[] call = calls.get(name);
            return call == null ? method : calling(method, call);
          }
        },
        0);
    return writer.toByteArray();
  }

  private static MethodVisitor calling(MethodVisitor method, String[] call) {
    return new MethodVisitor(Opcodes.ASM9, method) {
      @Override
      public void visitCode() {
        super.visitCode();
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, call[0].replace('.', '/'), call[1], "()V", false);
      }
    };
  }
}
