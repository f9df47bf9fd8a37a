package io.github.vtdiag.agent.metrics;

import java.util.List;
import java.util.Map;

/** The agent's figures about virtual threads, for JMX; an unknown figure is null. */
public interface VirtualThreadsMXBean {
  /** Returns the parallelism of the scheduler. */
  Integer getParallelism();

  /** Returns the number of carriers. */
  Integer getPoolSize();

  /** Returns the number of mounted virtual threads. */
  Integer getMounted();

  /** Returns the number of queued virtual threads. */
  Long getQueued();

  /**
   * Returns the number of carriers whose virtual thread has waited for the watch's threshold, and
   * still does.
   */
  Integer getCarriersKept();

  /** Returns the time of the carriers, in seconds, by use. */
  Map<String, Double> getCarrierSeconds();

  /** Returns the processor time of the carriers, in seconds. */
  Double getCarrierCpuSeconds();

  /** Returns the time that all virtual threads together were queued, in seconds. */
  Double getQueueSeconds();

  /** Returns the number of pins that have ended. */
  long getPins();

  /** Returns the total length of these pins, in seconds. */
  double getPinnedSeconds();

  /** Returns the pins by the place to which they are attributed, the costliest first. */
  List<PinSite> getPinSites();

  /** Returns the number of places that are reported as one. */
  int getPinSitesFolded();

  /** Returns the number of hangs that were reported, by kind. */
  Map<String, Long> getHangs();

  /** Returns the number of hangs that last. */
  Integer getHangsOpen();
}
