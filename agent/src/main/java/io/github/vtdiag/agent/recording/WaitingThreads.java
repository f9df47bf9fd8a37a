package io.github.vtdiag.agent.recording;

import io.github.vtdiag.watch.Carriers;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;

/** Records how many virtual threads wait for a carrier, from the first virtual thread on. */
final class WaitingThreads {
  private final Carriers carriers = new Carriers();
  private Optional<ForkJoinPool> scheduler = Optional.empty();

  /** Called by JFR once a second, on a thread whose events it records. */
  synchronized void commit() {
    if (scheduler.isEmpty()) {
      scheduler = carriers.scheduler();
    }
    if (scheduler.isPresent()) {
      ForkJoinPool pool = scheduler.get();
      AgentEvents.Waiting event = new AgentEvents.Waiting();
      event.threads = Carriers.queued(pool);
      event.commit();
    }
  }
}
