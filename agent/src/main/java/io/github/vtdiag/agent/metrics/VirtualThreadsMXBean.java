package io.github.vtdiag.agent.metrics;

import java.util.List;
import java.util.Map;

/** What the agent knows of virtual threads, for JMX; what is not known is null. */
public interface VirtualThreadsMXBean {
  /** How many carriers the scheduler aims at. */
  Integer getParallelism();

  /** Carriers that there are. */
  Integer getPoolSize();

  /** Virtual threads that are on a carrier. */
  Integer getMounted();

  /** Virtual threads that wait for a carrier. */
  Long getQueued();

  /** Carriers whose virtual thread has waited for the watch's threshold, and still does. */
  Integer getCarriersKept();

  /** Where the carriers' time went, in seconds, by use. */
  Map<String, Double> getCarrierSeconds();

  /** Processor time of the carriers, in seconds. */
  Double getCarrierCpuSeconds();

  /** Time that virtual threads waited for a carrier, all together, in seconds. */
  Double getQueueSeconds();

  /** The pins that have ended. */
  long getPins();

  /** How long they kept carriers, in seconds. */
  double getPinnedSeconds();

  /** The pins by the place that they are put down to, the costliest first. */
  List<PinSite> getPinSites();

  /** Places that are told as one. */
  int getPinSitesFolded();

  /** The hangs that were told, by kind. */
  Map<String, Long> getHangs();

  /** Those of them that last. */
  Integer getHangsOpen();
}
