package samples.web;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The peak use of this JVM, sampled ten times a second. */
final class Peaks {
  private static final int LOOK_MILLIS = 100;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long used;
  private long committed;

  private Peaks() {}

  static Peaks watch() {
    var peaks = new Peaks();
    // A platform thread: it has to sample also while all carriers are pinned.
    Thread.ofPlatform().daemon().name("peaks").start(peaks::lookOn);
    return peaks;
  }

  private void lookOn() {
    try {
      while (true) {
        look();
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void look() {
    Runtime runtime = Runtime.getRuntime();
    committed = Math.max(committed, runtime.totalMemory());
    used = Math.max(used, runtime.totalMemory() - runtime.freeMemory());
  }

  /** Returns the platform threads, including carriers; without virtual threads. */
  synchronized String result() {
    look();
    long cpuMillis =
        ProcessHandle.current().info().totalCpuDuration().map(time -> time.toMillis()).orElse(0L);
    return "peakThreads=%d heapUsedBytes=%d heapCommittedBytes=%d cpuMillis=%d"
        .formatted(threads.getPeakThreadCount(), used, committed, cpuMillis);
  }
}
