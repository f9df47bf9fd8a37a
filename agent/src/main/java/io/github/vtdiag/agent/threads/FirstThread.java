package io.github.vtdiag.agent.threads;

import io.github.vtdiag.watch.Carriers;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.function.BooleanSupplier;

/**
 * Tells whether the program has ever made a virtual thread, also one that no carrier has run yet: a
 * scheduler that is not the JDK's may never run any.
 */
public final class FirstThread {
  private final Carriers carriers;
  private final Later<BooleanSupplier> isInitialized;
  private boolean made;

  /**
   * @param carriers tells whether they ever ran one, which is cheaper to ask
   */
  public FirstThread(Carriers carriers, Instrumentation instrumentation) {
    this.carriers = carriers;
    this.isInitialized = new Later<>(() -> ask(instrumentation));
  }

  public boolean wasMade() {
    made = made || carriers.everRan() || isInitialized.get().getAsBoolean();
    return made;
  }

  /** Asks whether the class was initialized, as its first object does; asking does not do that. */
  private static BooleanSupplier ask(Instrumentation instrumentation) {
    try {
      ThreadInternals.open(instrumentation, "jdk.internal.misc");
      Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
      Object unsafe = type.getMethod("getUnsafe").invoke(null);
      Method shouldBe = type.getMethod("shouldBeInitialized", Class.class);
      Class<?> virtual = Class.forName("java.lang.VirtualThread", /* initialize= */ false, null);
      return () -> {
        try {
          return !((boolean) shouldBe.invoke(unsafe, virtual));
        } catch (ReflectiveOperationException e) {
          return false;
        }
      };
    } catch (ReflectiveOperationException | RuntimeException e) {
      return () -> false; // A JDK that keeps it elsewhere, or does not open it.
    }
  }
}
