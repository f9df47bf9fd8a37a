package io.github.vtdiag.rewrite;

import static org.objectweb.asm.Opcodes.ACC_ENUM;
import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_RECORD;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MONITOREXIT;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.SerialVersionUIDAdder;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Rewrites a class so that it takes canonical locks in place of monitors. It creates frames only
 * for the handlers and branches that it adds: everything that replaces a monitor instruction leaves
 * the same stack.
 *
 * <p>Monitors that the JDK's own code takes too are kept, if the static type shows it. If it does
 * not, {@link TwoBodies} decides by the object at run time.
 */
public final class MonitorRewriter {
  /** The prefix for {@code Instrumentation.setNativeMethodPrefix}. */
  public static final String NATIVE_PREFIX = "vtdiag$";

  /**
   * The class that rewritten code calls. It has the public methods of {@code
   * io.github.vtdiag.boot.Monitors}, but is in {@code java.base}, so that every module and every
   * class loader sees it.
   */
  public static final String MONITORS = "java/util/concurrent/locks/VtdiagMonitors";

  /** The hierarchies by loader; a loader's class files do not change. */
  private final Map<ClassLoader, Hierarchy> hierarchies = new WeakHashMap<>();

  private Hierarchy hierarchy(ClassLoader loader) {
    synchronized (hierarchies) {
      return hierarchies.computeIfAbsent(loader, Hierarchy::new);
    }
  }

  /** Returns whether the class has anything to rewrite. */
  public static boolean concerns(byte[] classFile) {
    Scan scan = new Scan();
    new ClassReader(classFile).accept(scan, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return scan.found;
  }

  private static boolean concerns(MethodNode method) {
    Scan scan = new Scan();
    MethodVisitor visitor =
        scan.visitMethod(method.access, method.name, method.desc, method.signature, null);
    if (visitor != null) {
      method.accept(visitor);
    }
    return scan.found;
  }

  /**
   * Returns whether the JDK's own code takes, or may take, the monitor of this class's objects. The
   * loaded superclasses are asked, because a class made in memory has no file.
   */
  public boolean isLockedByTheJdk(Class<?> type) {
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    for (Class<?> each = type; each != null && !each.isArray(); each = each.getSuperclass()) {
      if (each.getClassLoader() == null || platform.equals(each.getClassLoader())) {
        return hierarchy(platform).isLockedByTheJdk(each.getName().replace('.', '/'));
      }
    }
    return false;
  }

  /**
   * Rewrites a class.
   *
   * @return the new bytes; empty if there is nothing to rewrite
   * @throws CannotRewriteException if one of its monitors can neither be replaced nor kept
   */
  public Optional<byte[]> rewrite(ClassLoader loader, byte[] classFile)
      throws CannotRewriteException {
    if (!concerns(classFile)) {
      return Optional.empty();
    }
    Hierarchy hierarchy = hierarchy(loader);
    ClassReader reader = new ClassReader(classFile);
    ClassNode type = new ClassNode();
    reader.accept(type, ClassReader.EXPAND_FRAMES);
    hierarchy.add(type);
    boolean jdkLocks = hierarchy.isLockedByTheJdk(type.name);
    if (hasSynchronizedMethod(type) && needsSerialVersion(type, hierarchy)) {
      type = new ClassNode();
      reader.accept(new SerialVersionUIDAdder(type), ClassReader.EXPAND_FRAMES);
      hideSerialVersion(type);
    }
    type.methods.replaceAll(method -> concerns(method) ? Subroutines.inline(method) : method);
    for (MethodNode method : List.copyOf(type.methods)) {
      MethodRewriter rewriter = new MethodRewriter(type, method, hierarchy);
      rewriter.replaceInstructions();
      boolean instance = (method.access & ACC_STATIC) == 0;
      if ((method.access & ACC_SYNCHRONIZED) != 0 && !(instance && jdkLocks)) {
        if ((method.access & ACC_NATIVE) != 0) {
          NativeMethods.giveBody(type, method);
        }
        rewriter.replaceSynchronized();
      }
    }
    ClassWriter writer = new ClassWriter(0);
    try {
      type.accept(writer);
      return Optional.of(writer.toByteArray());
    } catch (MethodTooLargeException e) {
      throw new CannotRewriteException(
          e.getClassName().replace('/', '.')
              + "."
              + e.getMethodName()
              + " would exceed the size limit of a method");
    }
  }

  /**
   * Rewrites {@code ConcurrentHashMap}, whose blocks lock its bins and nothing else. It is loaded,
   * so only the bodies of its methods may change.
   *
   * @throws CannotRewriteException if it has another kind of monitor than blocks, or none
   */
  public static byte[] rewriteBins(byte[] classFile) throws CannotRewriteException {
    ClassNode type = new ClassNode();
    new ClassReader(classFile).accept(type, ClassReader.EXPAND_FRAMES);
    if (hasSynchronizedMethod(type)) {
      throw new CannotRewriteException(
          type.name.replace('/', '.')
              + " has a synchronized method, which cannot be changed in a loaded class");
    }
    if (!concerns(classFile)) {
      throw new CannotRewriteException(type.name.replace('/', '.') + " has no monitor");
    }
    for (MethodNode method : type.methods) {
      new MethodRewriter(type, method, null).replaceBlocks("enterBin", "exitBin");
    }
    ClassWriter writer = new ClassWriter(0);
    type.accept(writer);
    return writer.toByteArray();
  }

  private static boolean hasSynchronizedMethod(ClassNode type) {
    return type.methods.stream().anyMatch(method -> (method.access & ACC_SYNCHRONIZED) != 0);
  }

  /**
   * Returns whether the class needs an explicit serial version: the default one hashes methods with
   * their modifiers, so it would differ from that of other programs and of older files.
   */
  private static boolean needsSerialVersion(ClassNode type, Hierarchy hierarchy) {
    return (type.access & (ACC_INTERFACE | ACC_RECORD | ACC_ENUM)) == 0
        && type.fields.stream().noneMatch(field -> field.name.equals("serialVersionUID"))
        && hierarchy.isA(type.name, "java/io/Serializable");
  }

  private static void hideSerialVersion(ClassNode type) {
    for (FieldNode field : type.fields) {
      if (field.name.equals("serialVersionUID")) {
        field.access |= ACC_PRIVATE | ACC_SYNTHETIC;
      }
    }
  }

  /**
   * Returns whether this is one of Object's methods that need the monitor; they cannot be
   * overridden.
   */
  static boolean needsMonitor(int opcode, String name, String descriptor) {
    if (opcode == Opcodes.INVOKESTATIC) {
      return false;
    }
    return switch (name) {
      case "wait" ->
          descriptor.equals("()V") || descriptor.equals("(J)V") || descriptor.equals("(JI)V");
      case "notify", "notifyAll" -> descriptor.equals("()V");
      default -> false;
    };
  }

  static boolean asksForMonitor(int opcode, String owner, String name, String descriptor) {
    return opcode == Opcodes.INVOKESTATIC
        && owner.equals("java/lang/Thread")
        && name.equals("holdsLock")
        && descriptor.equals("(Ljava/lang/Object;)Z");
  }

  /** Returns whether this is the method of TimeUnit that waits in the monitor of its argument. */
  static boolean waitsForIt(String owner, String name, String descriptor) {
    return owner.equals("java/util/concurrent/TimeUnit")
        && name.equals("timedWait")
        && descriptor.equals("(Ljava/lang/Object;J)V");
  }

  static String onObject(String descriptor) {
    return "(Ljava/lang/Object;" + descriptor.substring(1);
  }

  /** Returns a method reference to one of these methods as one to ours, or null. */
  static Handle redirect(Handle handle) {
    boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
    int opcode = isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKEVIRTUAL;
    String descriptor;
    if (handle.getDesc().startsWith("(")
        && (needsMonitor(opcode, handle.getName(), handle.getDesc())
            || waitsForIt(handle.getOwner(), handle.getName(), handle.getDesc()))) {
      descriptor = onObject(handle.getDesc());
    } else if (asksForMonitor(opcode, handle.getOwner(), handle.getName(), handle.getDesc())) {
      descriptor = handle.getDesc();
    } else {
      return null;
    }
    return new Handle(Opcodes.H_INVOKESTATIC, MONITORS, handle.getName(), descriptor, false);
  }

  /** Looks for something to rewrite, without the cost of a tree. */
  private static final class Scan extends ClassVisitor {
    private boolean found;

    Scan() {
      super(ASM9);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      found |= (access & ACC_SYNCHRONIZED) != 0;
      if (found) {
        return null;
      }
      return new MethodVisitor(ASM9) {
        @Override
        public void visitInsn(int opcode) {
          found |= opcode == MONITORENTER || opcode == MONITOREXIT;
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String name, String descriptor, boolean isInterface) {
          found |=
              needsMonitor(opcode, name, descriptor)
                  || asksForMonitor(opcode, owner, name, descriptor)
                  || waitsForIt(owner, name, descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(
            String name, String descriptor, Handle bootstrap, Object... arguments) {
          for (Object argument : arguments) {
            found |= argument instanceof Handle handle && redirect(handle) != null;
          }
        }

        @Override
        public void visitLdcInsn(Object value) {
          found |= value instanceof Handle handle && redirect(handle) != null;
        }
      };
    }
  }
}
