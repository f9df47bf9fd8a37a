package io.github.vtdiag.agent.metrics;

/**
 * The pins of one place.
 *
 * @param site the place
 * @param kind {@code pinned}, {@code monitor_enter}, {@code monitor_wait} or {@code native}
 */
public record PinSite(
    String site, String kind, long count, double seconds, double longestSeconds) {}
