package io.github.vtdiag.agent.threads;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Tells whether all processors are busy: then a thread that does not run may want one. */
final class MachineLoad implements BooleanSupplier {
  private static final double FULL = 0.9;

  /** The shortest time over which the load is measured, from one call to the next. */
  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final OperatingSystemMXBean system;
  private long askedNanos = System.nanoTime() - ASK_NANOS;
  private boolean full;

  private MachineLoad(OperatingSystemMXBean system) {
    this.system = system;
  }

  /**
   * Returns the load, or false where it is unknown: then no thread is assumed to want a processor.
   */
  static BooleanSupplier find() {
    try {
      return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
          ? new MachineLoad(system)
          : () -> false;
    } catch (RuntimeException | LinkageError e) {
      return () -> false;
    }
  }

  @Override
  public boolean getAsBoolean() {
    long now = System.nanoTime();
    if (now - askedNanos >= ASK_NANOS) {
      askedNanos = now;
      full = system.getCpuLoad() >= FULL;
    }
    return full;
  }
}
