package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ExactSnapshots;
import io.github.vtdiag.agent.threads.OsThreads;
import io.github.vtdiag.agent.threads.ThreadInternals;
import java.lang.instrument.Instrumentation;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The objects that virtual threads without a carrier wait for. What such a thread waits for in
 * {@code Object.wait} is known from JDK 25 on.
 */
public final class WaitedObjects {
  private final Optional<ExactSnapshots> exact;

  private WaitedObjects(Optional<ExactSnapshots> exact) {
    this.exact = exact;
  }

  public static WaitedObjects ofThisJvm(Instrumentation instrumentation) {
    try {
      return new WaitedObjects(
          ExactSnapshots.find(
              ThreadInternals.open(instrumentation), new OsThreads(instrumentation)));
    } catch (ReflectiveOperationException e) {
      return new WaitedObjects(Optional.empty());
    }
  }

  /** Returns what it is parked for or waits to be notified by; empty if that is not known. */
  public Optional<Object> of(Thread thread) {
    Object blocker = LockSupport.getBlocker(thread);
    if (blocker != null || exact.isEmpty()) {
      return Optional.ofNullable(blocker);
    }
    try {
      return exact.get().look(thread, /* stood= */ false).map(ExactSnapshots.Exact::waitingOn);
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }
}
