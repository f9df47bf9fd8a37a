package io.github.vtdiag.agent.probe;

import io.github.vtdiag.boot.Monitors;
import io.github.vtdiag.rewrite.CannotRewriteException;
import io.github.vtdiag.rewrite.MonitorRewriter;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The what-if of {@code ConcurrentHashMap}: the monitors of its bins become locks, in the class
 * that the JVM has loaded long before. All its monitors are blocks, on bins that no other code
 * sees.
 */
final class ConcurrentHashMapRewriter implements ClassFileTransformer {
  private static final Class<?> MAP = ConcurrentHashMap.class;

  private static final String MONITORS = MonitorRewriter.MONITORS.replace('/', '.');

  private final Consumer<String> stop;

  private ConcurrentHashMapRewriter(Consumer<String> stop) {
    this.stop = stop;
  }

  /**
   * Moves them now, and again whenever the class is redefined.
   *
   * @param stop ends the program with a reason, and does not return
   */
  static void move(Instrumentation instrumentation, Consumer<String> stop) throws IOException {
    checkNested(stop);
    try {
      // A dry run: nothing that it needs may be loaded while the gate is closed.
      MonitorRewriter.rewriteBins(BootClasses.readOfJdk(MAP.getName()));
      isInTheMap(Thread.getAllStackTraces().get(Thread.currentThread()));
      Thread.sleep(0, 1);
      Monitors.enterBin(MAP);
      Monitors.exitBin(MAP);
      instrumentation.addTransformer(new ConcurrentHashMapRewriter(stop), true);
      Monitors.binMover = Thread.currentThread();
      instrumentation.retransformClasses(MAP);
      awaitOldOnes(stop);
    } catch (UnmodifiableClassException | CannotRewriteException | InterruptedException e) {
      stop.accept(MAP.getName() + " cannot be rewritten: " + e.getMessage());
    } finally {
      Monitors.binMover = null;
    }
  }

  /** Checks that only the map itself locks bins: other JDKs could lock them elsewhere. */
  private static void checkNested(Consumer<String> stop) throws IOException {
    for (Class<?> nested : MAP.getDeclaredClasses()) {
      if (MonitorRewriter.concerns(BootClasses.readOfJdk(nested.getName()))) {
        stop.accept(nested.getName() + " has monitors too, and this vtdiag does not know on what");
      }
    }
  }

  /**
   * Waits for threads that were in the map when it was redefined: they go on in the old code,
   * perhaps in the monitor of a bin.
   */
  private static void awaitOldOnes(Consumer<String> stop) throws InterruptedException {
    for (int i = 0; i < 1000; i++) {
      if (Thread.getAllStackTraces().values().stream()
          .noneMatch(ConcurrentHashMapRewriter::isInTheMap)) {
        return;
      }
      Thread.sleep(1);
    }
    stop.accept(
        "another thread does not leave a method of "
            + MAP.getName()
            + " and may hold a bin's monitor");
  }

  /**
   * Returns whether a thread is in the old code; threads that wait for the move are in the new
   * code.
   */
  private static boolean isInTheMap(StackTraceElement[] trace) {
    for (int i = 0; i < trace.length; i++) {
      if (trace[i].getClassName().equals(MAP.getName())
          && !(i > 0 && trace[i - 1].getClassName().equals(MONITORS))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String internalName,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (redefined != MAP) {
      return null;
    }
    try {
      return MonitorRewriter.rewriteBins(classFile);
    } catch (Throwable e) {
      stop.accept(MAP.getName() + " cannot be rewritten: " + e.getMessage());
      return null;
    }
  }
}
