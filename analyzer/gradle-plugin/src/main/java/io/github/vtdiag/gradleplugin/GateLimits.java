package io.github.vtdiag.gradleplugin;

import org.gradle.api.provider.Property;

/** The limits of <code>vtdiag gate</code>, each as the command line takes it. */
public interface GateLimits {
  /** Returns the longest that a single pin may be, such as <code>50ms</code>. */
  Property<String> getMaxPin();

  /** Returns the longest that all pins may be together. */
  Property<String> getMaxTotal();

  /** Returns the most pins that are allowed. */
  Property<String> getMaxCount();

  /** Returns the share of all carrier time that may be pinned, such as <code>5%</code>. */
  Property<String> getMaxCapacityLost();

  /** Returns the most pins per minute, such as <code>60</code>. */
  Property<String> getMaxRate();

  /** Returns the most virtual threads that may be queued for a carrier, on average. */
  Property<String> getMaxQueue();

  /**
   * Returns the share of the time in which virtual threads may be queued while all carriers
   * compute.
   */
  Property<String> getMaxMonopolized();

  /** Returns the least share of all carrier time that has to be idle. */
  Property<String> getMinIdle();

  /**
   * Returns the longest that a thread, virtual or not, may have waited for another one at the end.
   */
  Property<String> getMaxStall();
}
