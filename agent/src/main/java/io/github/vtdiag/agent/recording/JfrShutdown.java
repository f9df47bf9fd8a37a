package io.github.vtdiag.agent.recording;

import io.github.vtdiag.agent.jvm.JdkInternals;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.Optional;

/**
 * The end of JFR, which the agent brings about when the program ends: after its own last events,
 * and never while JFR starts. A recording that starts after JFR's end crashes the JVM, and JFR's
 * own shutdown hook does not wait.
 */
public final class JfrShutdown {
  /** The message of the JDK, where JFR or a hook comes too late. */
  private static final String IN_PROGRESS = "Shutdown in progress";

  private Optional<Runnable> hook = Optional.empty();
  private boolean isOver;

  /** Takes the shutdown hook from JFR. */
  interface Taking {
    Optional<Runnable> take() throws ReflectiveOperationException;
  }

  /** Starts a recording. */
  interface Starting<T> {
    T start() throws IOException;
  }

  static Taking jfrs(Instrumentation instrumentation) {
    return () -> JdkInternals.takeOverJfrShutdownHook(instrumentation);
  }

  /** Returns whether a start failed because the program ends. */
  public static boolean isInProgress(Throwable e) {
    return e instanceof IllegalStateException && IN_PROGRESS.equals(e.getMessage());
  }

  /**
   * Takes the hook, then starts a recording.
   *
   * @throws IllegalStateException if the program ends already
   */
  synchronized <T> T start(Taking taking, Starting<T> starting) throws IOException {
    if (isOver) {
      throw new IllegalStateException(IN_PROGRESS);
    }
    hook = take(taking);
    boolean started = false;
    try {
      T result = starting.start();
      started = true;
      return result;
    } finally {
      if (!started) {
        giveBack();
      }
    }
  }

  private static Optional<Runnable> take(Taking taking) {
    try {
      return taking.take();
    } catch (ReflectiveOperationException | RuntimeException e) {
      if (isInProgress(e)) {
        throw new IllegalStateException(IN_PROGRESS, e);
      }
      // Then the recording may miss the lock maps of the last second's classes, and JFR may end
      // while it starts.
      return Optional.empty();
    }
  }

  /** Lets JFR end by itself again. */
  synchronized void giveBack() {
    try {
      hook.filter(Thread.class::isInstance)
          .map(Thread.class::cast)
          .ifPresent(Runtime.getRuntime()::addShutdownHook);
      hook = Optional.empty();
    } catch (IllegalStateException e) {
      // The program ends: the agent's own hook runs it.
    }
  }

  /** Ends JFR, after a start that is under way; a later one fails. */
  public synchronized void run() {
    isOver = true;
    hook.ifPresent(Runnable::run);
    hook = Optional.empty();
  }
}
