package io.github.vtdiag.agent.probe;

import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.boot.Monitors;
import io.github.vtdiag.rewrite.CannotRewriteException;
import io.github.vtdiag.rewrite.MonitorRewriter;
import io.github.vtdiag.rewrite.RewriteScope;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The what-if: while the application's classes load, their monitors become locks. A class that
 * cannot be rewritten stops the program, because it would take the monitor where others take the
 * lock.
 *
 * <p>A plain transformer: Byte Buddy's agent builder would describe every class on the
 * application's threads, and its own locks there pin them. It is not called at retransformations,
 * which start from its output.
 */
public final class WhatIf implements ClassFileTransformer {
  /** The classes in the order in which they can be linked. */
  private static final List<String> BOOT_CLASSES =
      List.of(
          "io.github.vtdiag.boot.ThinLock",
          "io.github.vtdiag.boot.CanonicalLock",
          "io.github.vtdiag.boot.StackProbe",
          "io.github.vtdiag.boot.LockTable",
          "io.github.vtdiag.boot.LockTable$Bucket",
          "io.github.vtdiag.boot.Monitors",
          "io.github.vtdiag.boot.Monitors$1");

  /**
   * The local variables of the stack probe, 8 bytes each. Leaving a contended lock takes a part of
   * that stack: the JDK may start a carrier for the next thread. Another part is for compiled
   * frames that must go on interpreted, and are larger then. Measured on Java 21 and 25: 3 KB was
   * too little, 6 KB was enough.
   */
  private static final int PROBE_LOCALS = 2048;

  private final RewriteScope scope;
  private final Consumer<String> stop;
  private final MonitorRewriter rewriter = new MonitorRewriter();

  private WhatIf(RewriteScope scope, Consumer<String> stop) {
    this.scope = scope;
    this.stop = stop;
  }

  /**
   * Rewrites every class of the scope that is loaded from now on.
   *
   * @param stop ends the program with a reason, and does not return
   */
  public static void install(
      Instrumentation instrumentation, RewriteScope scope, Consumer<String> stop)
      throws IOException, ReflectiveOperationException, CannotRewriteException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    for (String name : BOOT_CLASSES) {
      byte[] classFile = BootClasses.read(name);
      classes.put(name, name.endsWith(".StackProbe") ? withLargeFrame(classFile) : classFile);
    }
    String forwarder = MonitorRewriter.MONITORS.replace('/', '.');
    // By name: the agent's loader must not have linked it before the boot loader has it.
    String monitors = "io.github.vtdiag.boot.Monitors";
    classes.put(forwarder, Forwarder.to(monitors, classes.get(monitors), forwarder));
    BootClasses.define(instrumentation, classes);
    Class<?> called = Class.forName(forwarder, true, null);
    instrumentation.redefineModule(
        called.getModule(),
        Set.of(Monitors.class.getModule()),
        Map.of(),
        Map.of(),
        Set.of(),
        Map.of());
    WhatIf whatIf = new WhatIf(scope, stop);
    Monitors.lockedByTheJdk = whatIf.rewriter::isLockedByTheJdk;
    Monitors.stop = stop;
    whatIf.exercise();
    instrumentation.addTransformer(whatIf, false);
    instrumentation.setNativeMethodPrefix(whatIf, MonitorRewriter.NATIVE_PREFIX);
    for (Class<?> loaded : JdkInternals.loadedClasses(instrumentation)) {
      whatIf.checkLoaded(loaded);
    }
    if (scope.bins()) {
      ConcurrentHashMapRewriter.move(instrumentation, stop);
    }
  }

  /** Adds the local variables to the stack probe; no source could declare so many. */
  private static byte[] withLargeFrame(byte[] classFile) {
    return MethodWeaver.weave(
        classFile,
        (name, method) ->
            !name.startsWith("probe(")
                ? method
                : new MethodVisitor(Opcodes.ASM9, method) {
                  @Override
                  public void visitMaxs(int stack, int locals) {
                    super.visitMaxs(stack, PROBE_LOCALS);
                  }
                });
  }

  /**
   * Loads the classes of the runtime and the rewriter. A class of ours that is loaded later, inside
   * a lock or while a class is transformed, could meet itself there.
   */
  private void exercise() throws IOException, CannotRewriteException {
    rewriter.rewrite(
        WhatIf.class.getClassLoader(),
        BootClasses.read("io.github.vtdiag.agent.probe.WhatIf$Exercise"));
    Object lock = new Object();
    Thread contender = new Thread(null, () -> pass(lock), "vtdiag what-if", 0, false);
    Monitors.enter(lock);
    try {
      contender.start();
      // Until the contender is done it can only wait; so both ways of waiting are loaded.
      for (int i = 0; i < 2; i++) {
        Monitors.wait(lock, 1);
      }
      Monitors.notifyAll(lock);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Monitors.exit(lock);
    }
    try {
      contender.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pass(Object lock) {
    Monitors.enter(lock);
    Monitors.exit(lock);
  }

  /** A class that is rewritten in a dry run, so that all that rewriting needs is loaded. */
  @SuppressWarnings("unused")
  private static final class Exercise implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    synchronized boolean method() {
      synchronized (Exercise.class) {
        return Thread.holdsLock(this);
      }
    }
  }

  /** Stops the program if a class was loaded before and has monitors to rewrite. */
  private void checkLoaded(Class<?> type) throws IOException {
    if (type.isArray()
        || type.isHidden()
        || isLeftAlone(type.getModule(), type.getClassLoader(), type.getName())
        || !scope.has(type.getName())) {
      return;
    }
    String file = type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
      if (in == null || MonitorRewriter.concerns(in.readAllBytes())) {
        stop.accept(
            type.getName()
                + " was loaded before vtdiag; put vtdiag before the other agents on the command"
                + " line");
      }
    }
  }

  /** Returns whether it is one of the JDK's classes, or our own. */
  @SuppressWarnings("ReferenceEquality") // A loader's class may define equals.
  private static boolean isLeftAlone(Module module, ClassLoader loader, String className) {
    return loader == null
        || loader == ClassLoader.getPlatformClassLoader()
        || isOfTheJdk(module)
        || className.startsWith("io.github.vtdiag.");
  }

  /**
   * Returns whether a module is the JDK's. Some of them, such as the compiler's, are the
   * application loader's.
   */
  private static boolean isOfTheJdk(Module module) {
    return module.isNamed()
        && (module.getName().startsWith("java.") || module.getName().startsWith("jdk."));
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String internalName,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    String name = internalName == null ? "" : internalName.replace('/', '.');
    if (isLeftAlone(module, loader, name)) {
      return null;
    }
    try {
      if (name.isEmpty()) {
        name = new ClassReader(classFile).getClassName().replace('/', '.');
      }
      if (!scope.has(name)) {
        return null;
      }
      if (redefined != null) {
        if (MonitorRewriter.concerns(classFile)) {
          stop.accept(name + " was redefined while the program ran");
        }
        return null;
      }
      scope.mismatch(classFile).ifPresent(stop);
      return rewriter.rewrite(loader, classFile).orElse(null);
    } catch (CannotRewriteException e) {
      stop.accept(e.getMessage());
    } catch (OutOfMemoryError e) {
      stop.accept("the JVM is out of memory");
    } catch (Throwable e) {
      stop.accept(name + " cannot be rewritten: " + e);
    }
    return null;
  }
}
