package io.github.vtdiag.agent.lifecycle;

import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.agent.jvm.Log;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Holds the application's first virtual thread until the recording runs, because JFR starts in
 * parallel with {@code main}. So no early pin is lost.
 *
 * <p>The first {@code new VirtualThread} loads its continuation class, from the JDK's image or from
 * CDS. The JVM calls this transformer then, on the thread that creates it. The transformer is
 * removed as soon as the recording runs, unless a task waits for that thread.
 */
final class StartGate implements ClassFileTransformer {
  private static final String FIRST_LOADED = "java/lang/VirtualThread$VThreadContinuation";

  private final CountDownLatch recording = new CountDownLatch(1);
  private final AtomicReference<Runnable> whenPassed = new AtomicReference<>();
  private final Duration patience;
  private volatile boolean passed;
  private volatile boolean late;

  StartGate(Duration patience) {
    this.patience = patience;
  }

  /** Returns whether a virtual thread exists already, so that the gate would come too late. */
  static boolean isPassed(Instrumentation instrumentation) {
    String name = FIRST_LOADED.replace('/', '.');
    for (Class<?> loaded : JdkInternals.loadedClasses(instrumentation)) {
      if (loaded.getName().equals(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String className,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (FIRST_LOADED.equals(className)) {
      await();
      passed = true;
      runWhenPassed();
    }
    return null;
  }

  /**
   * Runs a task as soon as there is a virtual thread, on the thread that creates it, or here. The
   * gate must stay registered as a transformer until then.
   */
  void whenPassed(Runnable task, Instrumentation instrumentation) {
    whenPassed.set(task);
    if (passed || isPassed(instrumentation)) {
      runWhenPassed();
    }
  }

  private void runWhenPassed() {
    Runnable task = whenPassed.getAndSet(null);
    if (task != null) {
      task.run();
    }
  }

  /** Returns whether the first virtual thread has been made, as far as this has seen it. */
  boolean wasPassed() {
    return passed;
  }

  /** Notes that there were virtual threads before this was registered. */
  void comesLate() {
    passed = true;
  }

  /** Opens the gate, because the recording runs, or never will. */
  void open() {
    recording.countDown();
  }

  /** Returns whether a thread went on before the recording ran. */
  boolean isLate() {
    return late;
  }

  /** Waits for {@link #open}; interrupts are passed on. */
  void await() {
    boolean interrupted = false;
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        if (!recording.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          late = true;
          Log.line(
              "the recording had not started when the first virtual thread did: early pins may be"
                  + " missing");
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
