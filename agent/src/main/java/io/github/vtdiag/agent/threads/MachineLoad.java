package io.github.vtdiag.agent.threads;

import com.sun.management.OperatingSystemMXBean;
import io.github.vtdiag.watch.Scheduling;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** Whether all processors are busy: then a thread that does not run may want one. */
final class MachineLoad implements Scheduling {
  private static final double FULL = 0.9;

  /** The load is that of the time since it was asked for last. */
  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final OperatingSystemMXBean system;
  private long askedNanos = System.nanoTime() - ASK_NANOS;
  private boolean full;

  private MachineLoad(OperatingSystemMXBean system) {
    this.system = system;
  }

  /** Where nobody tells the load, nobody is taken to want a processor. */
  static Scheduling find() {
    try {
      return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
          ? new MachineLoad(system)
          : thread -> false;
    } catch (RuntimeException | LinkageError e) {
      return thread -> false;
    }
  }

  @Override
  public boolean mayWantProcessor(Thread thread) {
    long now = System.nanoTime();
    if (now - askedNanos >= ASK_NANOS) {
      askedNanos = now;
      full = system.getCpuLoad() >= FULL;
    }
    return full;
  }
}
