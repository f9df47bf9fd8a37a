package io.github.vtdiag.agent.probe;

import static net.bytebuddy.matcher.ElementMatchers.named;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.boot.PinHook;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.pool.TypePool;

/**
 * Adds calls to {@code java.lang.VirtualThread}, whose shape stays as it is: where a carrier mounts
 * a thread, where a thread is woken, and where a pinned thread parks. Each stands before the
 * method's first instruction, takes nothing but the thread and returns nothing, so no frame of the
 * method changes.
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
   * @param method the method of this JDK that gets the call
   * @param called whom it calls, on the bootstrap path
   * @param advice what makes the call
   */
  private record Hook(String method, String called, Class<?> advice) {}

  private VirtualThreadHooks(boolean mounts, boolean parks) {
    if (mounts) {
      hooks.add(new Hook(MOUNTS, COUNTER, Mount.class));
      hooks.add(new Hook(UNPARKS, COUNTER, Wake.class));
      hooks.add(new Hook(UNBLOCKS, COUNTER, Wake.class));
    }
    if (parks) {
      hooks.add(new Hook(PARKS, PIN_HOOK, PinnedPark.class));
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
      called.put(hook.called, BootClasses.read(hook.called));
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

  /** Byte Buddy's agent builder would describe every class that the application loads. */
  private byte[] weave(byte[] classFile) {
    ClassFileLocator locator =
        new ClassFileLocator.Compound(
            ClassFileLocator.Simple.of(HOOKED, classFile),
            ClassFileLocator.ForClassLoader.ofBootLoader());
    List<AsmVisitorWrapper> calls = new ArrayList<>();
    hooks.forEach(hook -> calls.add(Advice.to(hook.advice).on(named(hook.method))));
    // What the class inherits does not matter, and to find it out takes longer than all else.
    return new ByteBuddy()
        .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
        .with(TypeValidation.DISABLED)
        .decorate(TypePool.Default.of(locator).describe(HOOKED).resolve(), locator)
        .visit(new AsmVisitorWrapper.Compound(calls))
        .make()
        .getBytes();
  }

  private static final class Mount {
    @Advice.OnMethodEnter
    static void enter(@Advice.This Object virtual) {
      Mounts.mount(virtual);
    }
  }

  private static final class Wake {
    @Advice.OnMethodEnter
    static void enter(@Advice.This Object virtual) {
      Mounts.wake(virtual);
    }
  }

  private static final class PinnedPark {
    @Advice.OnMethodEnter
    static void enter() {
      PinHook.pinnedPark();
    }
  }
}
