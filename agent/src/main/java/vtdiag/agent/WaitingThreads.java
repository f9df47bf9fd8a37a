package vtdiag.agent;

import java.lang.instrument.Instrumentation;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;

/** Records how many virtual threads wait for a carrier, from the first pin on. */
final class WaitingThreads {
  private final Instrumentation instrumentation;

  /** Null until a pin was seen; empty where the JDK has another kind of scheduler. */
  private volatile Optional<ForkJoinPool> scheduler;

  WaitingThreads(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Notes that a virtual thread was pinned: now the scheduler exists and can be asked. */
  void pinSeen() {
    if (scheduler != null) {
      return;
    }
    try {
      scheduler = JdkInternals.scheduler(instrumentation);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // Then the recording does not have it.
      scheduler = Optional.empty();
    }
  }

  /** Called by JFR once a second, on a thread whose events it records. */
  void commit() {
    Optional<ForkJoinPool> pool = scheduler;
    if (pool != null && pool.isPresent()) {
      AgentEvents.Waiting event = new AgentEvents.Waiting();
      event.threads = pool.get().getQueuedTaskCount() + pool.get().getQueuedSubmissionCount();
      event.commit();
    }
  }
}
