package io.github.vtdiag.agent.probe;

import io.github.vtdiag.agent.jvm.HeapRoom;
import io.github.vtdiag.boot.Mounts;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Adds calls to {@code java.lang.VirtualThread}, whose shape stays as it is: where a carrier mounts
 * a thread, where a thread is woken, and where a pinned thread parks. It also adds calls to where
 * the JDK learns that a thread or its task failed. Each call precedes the method's first
 * instruction. It takes nothing but the thread or the exception and returns nothing, so no frame of
 * the method changes. This delays every start of an application, so it uses ASM alone: Byte Buddy
 * would load some 650 classes for these calls.
 */
public final class VirtualThreadHooks implements ClassFileTransformer {
  static final String HOOKED = "java.lang.VirtualThread";
  static final String PARKS = "parkOnCarrierThread";
  private static final String MOUNTS = "runContinuation";
  private static final String UNPARKS = "unpark";

  /** The method that ends a wait for a monitor or in {@code Object.wait}, from JDK 24 on. */
  private static final String UNBLOCKS = "unblock";

  /** The method that the JVM calls on each thread that ends by an exception. */
  private static final String UNCAUGHT = "dispatchUncaughtException";

  /** The method that a failing task calls to keep the exception for readers of its result. */
  private static final String FAILS = "setException";

  /**
   * The same of a stage of a future. The method of that name with two parameters hands on what
   * failed before.
   */
  private static final String STAGE_FAILS =
      "encodeThrowable(Ljava/lang/Throwable;)Ljava/util/concurrent/CompletableFuture$AltResult;";

  private static final String COUNTER = "io.github.vtdiag.boot.Mounts";
  private static final String PIN_HOOK = "io.github.vtdiag.boot.PinHook";

  /** The things that a called method takes, with the variable that has it and the descriptor. */
  private enum Takes {
    NOTHING(-1, "()V"),
    THREAD(0, "(Ljava/lang/Object;)V"),
    /** The argument of the method that gets the call. */
    EXCEPTION(1, "(Ljava/lang/Throwable;)V"),
    /** The same of a static method. */
    EXCEPTION_FIRST(0, "(Ljava/lang/Throwable;)V");

    final int variable;
    final String descriptor;

    Takes(int variable, String descriptor) {
      this.variable = variable;
      this.descriptor = descriptor;
    }
  }

  private final List<Hook> hooks = new ArrayList<>();
  private final CaughtFailures caught = new CaughtFailures();

  /**
   * A call at the beginning of a method.
   *
   * @param type the JDK's class
   * @param method its method that gets the call, with or without its descriptor
   * @param owner the class whose method is called, on the bootstrap path
   * @param called the static method that is called
   * @param takes the thing that it takes
   */
  private record Hook(String type, String method, String owner, String called, Takes takes) {
    boolean isIn(String name, String of) {
      return type.equals(name) && (of.equals(method) || of.startsWith(method + "("));
    }

    MethodVisitor in(MethodVisitor next) {
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitCode() {
          super.visitCode();
          if (takes.variable >= 0) {
            super.visitVarInsn(Opcodes.ALOAD, takes.variable);
          }
          super.visitMethodInsn(
              Opcodes.INVOKESTATIC, owner.replace('.', '/'), called, takes.descriptor, false);
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
      hooks.add(new Hook(HOOKED, MOUNTS, COUNTER, "mount", Takes.THREAD));
      hooks.add(new Hook(HOOKED, UNPARKS, COUNTER, "wake", Takes.THREAD));
      hooks.add(new Hook(HOOKED, UNBLOCKS, COUNTER, "wake", Takes.THREAD));
      hooks.add(new Hook("java.lang.Thread", UNCAUGHT, COUNTER, "failed", Takes.EXCEPTION));
      hooks.add(
          new Hook("java.util.concurrent.FutureTask", FAILS, COUNTER, "failed", Takes.EXCEPTION));
      hooks.add(
          new Hook(
              "java.util.concurrent.CompletableFuture",
              STAGE_FAILS,
              COUNTER,
              "failed",
              Takes.EXCEPTION_FIRST));
    }
    if (parks) {
      hooks.add(new Hook(HOOKED, PARKS, PIN_HOOK, "pinnedPark", Takes.NOTHING));
    }
  }

  /**
   * Adds the calls.
   *
   * @param mounts whether to count mounts, and to note wakers and failed threads
   * @param parks whether to call the hook of pinned parks
   * @return the hooks, which can be removed again
   */
  public static VirtualThreadHooks install(
      Instrumentation instrumentation, boolean mounts, boolean parks)
      throws ReflectiveOperationException, IOException, UnmodifiableClassException {
    VirtualThreadHooks hooks = new VirtualThreadHooks(mounts, parks);
    // A dry run, so that the JVM waits only for the weaving, not for all that it loads.
    for (String type : hooks.types()) {
      hooks.weave(type, BootClasses.readOfJdk(type));
    }
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
    hooks.retransform(instrumentation);
    if (mounts) {
      hooks.caught.install(instrumentation);
    }
    return hooks;
  }

  /** Removes the calls. */
  public void remove(Instrumentation instrumentation)
      throws ReflectiveOperationException, UnmodifiableClassException {
    caught.remove(instrumentation);
    if (instrumentation.removeTransformer(this)) {
      retransform(instrumentation);
      Mounts.takeFailures(); // Nothing of the application is kept.
    }
  }

  private void retransform(Instrumentation instrumentation)
      throws ReflectiveOperationException, UnmodifiableClassException {
    List<Class<?>> all = new ArrayList<>();
    for (String type : types()) {
      // Not initialized: that is when the scheduler of virtual threads reads its properties.
      all.add(Class.forName(type, false, null));
    }
    instrumentation.retransformClasses(all.toArray(Class[]::new));
  }

  private Set<String> types() {
    return hooks.stream().map(Hook::type).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String className,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (loader != null || className == null) {
      return null;
    }
    String name = className.replace('/', '.');
    for (Hook hook : hooks) {
      if (hook.type.equals(name)) {
        return weave(name, classFile);
      }
    }
    return null;
  }

  private byte[] weave(String type, byte[] classFile) {
    return MethodWeaver.weave(
        classFile,
        (name, written) -> {
          MethodVisitor method = written;
          for (Hook hook : hooks) {
            method = hook.isIn(type, name) ? hook.in(method) : method;
          }
          return method;
        });
  }
}
