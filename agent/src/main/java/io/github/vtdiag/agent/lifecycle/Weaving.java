package io.github.vtdiag.agent.lifecycle;

import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.probe.VirtualThreadHooks;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Adds the calls to the JDK's class on a thread of its own, in parallel with JFR's start, which
 * takes as long. The program's first virtual thread may pin its carrier at once, and has to be seen
 * from its first moment.
 */
final class Weaving {
  private final boolean parks;
  private final FutureTask<VirtualThreadHooks> task;

  private Weaving(Instrumentation instrumentation, boolean mounts, boolean parks) {
    this.parks = parks;
    this.task = new FutureTask<>(() -> weave(instrumentation, mounts, parks));
  }

  /**
   * Starts weaving.
   *
   * @param mounts whether to count mounts
   * @param parks whether to call the hook of pinned parks
   */
  static Weaving start(Instrumentation instrumentation, boolean mounts, boolean parks) {
    Weaving weaving = new Weaving(instrumentation, mounts, parks);
    AgentThread.daemon("vtdiag hooks", weaving.task).start();
    return weaving;
  }

  private static VirtualThreadHooks weave(
      Instrumentation instrumentation, boolean mounts, boolean parks)
      throws ReflectiveOperationException, IOException, UnmodifiableClassException {
    JdkInternals.openJavaLang(instrumentation);
    return VirtualThreadHooks.install(instrumentation, mounts, parks);
  }

  /** Returns the calls; empty, and reported, if they cannot be added. */
  Optional<VirtualThreadHooks> await() {
    try {
      return Optional.of(task.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof OutOfMemoryError full) {
        throw full;
      }
      Log.failure(
          parks
              ? "cannot sample exact monitors, the recording continues"
              : "cannot count mounts, the watch over the carriers goes without",
          e.getCause());
      return Optional.empty();
    }
  }

  /** Removes the calls, because they are not needed. */
  void undo(Instrumentation instrumentation) {
    try {
      task.get().remove(instrumentation);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      // Then there are no calls.
    } catch (ReflectiveOperationException | UnmodifiableClassException | RuntimeException e) {
      Log.failure("the calls stay in java.lang.VirtualThread, where nobody listens to them", e);
    }
  }
}
