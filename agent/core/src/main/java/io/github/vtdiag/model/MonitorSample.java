package io.github.vtdiag.model;

import java.util.List;

/**
 * The monitors a pinned thread really held, as the JVM named them at one moment.
 *
 * @param threadId the virtual thread
 * @param atNanos when, in nanoseconds since the epoch
 * @param frames the frames that held monitors, innermost first
 */
public record MonitorSample(long threadId, long atNanos, List<HolderFrame> frames) {
  public MonitorSample {
    frames = List.copyOf(frames);
  }

  /**
   * A frame that held monitors.
   *
   * @param className the frame's class
   * @param method its method
   * @param bci its bci
   * @param monitors the objects it held, innermost first
   */
  public record HolderFrame(
      String className, String method, int bci, List<MonitorObject> monitors) {
    public HolderFrame {
      monitors = List.copyOf(monitors);
    }
  }
}
