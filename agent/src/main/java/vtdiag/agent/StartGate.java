package vtdiag.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Holds the application's first virtual thread until the recording runs, so that no pin of the
 * first moments is lost although JFR starts beside {@code main}, not before it.
 *
 * <p>The first {@code new VirtualThread} loads its continuation class, from the class path or from
 * CDS; a transformer is asked then, on the thread that creates it. It is removed as soon as the
 * recording runs, unless something else waits for that thread.
 */
final class StartGate implements ClassFileTransformer {
  private static final String FIRST_LOADED = "java/lang/VirtualThread$VThreadContinuation";

  /** JFR starts in well under a second; a start that takes this long will not come. */
  private static final long PATIENCE_SECONDS = 5;

  private final CountDownLatch recording = new CountDownLatch(1);
  private final AtomicReference<Runnable> whenPassed = new AtomicReference<>();
  private volatile boolean passed;

  /** Whether a virtual thread exists already, so that the gate would come too late. */
  static boolean isPassed(Instrumentation instrumentation) {
    String name = FIRST_LOADED.replace('/', '.');
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
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
   * Has a task done as soon as there is a virtual thread, on the thread that makes it, or here. The
   * gate must be a transformer until then.
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

  /** The recording runs, or never will. */
  void open() {
    recording.countDown();
  }

  /** Waits for {@link #open}, through interrupts, which are handed on. */
  void await() {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      try {
        if (!recording.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          Log.line("the recording did not start in time: pins of the first moments may be missing");
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
