package io.github.vtdiag.compare;

/** The response times of one run, in nanoseconds. */
public record Latency(
    long meanNanos,
    long p50Nanos,
    long p90Nanos,
    long p95Nanos,
    long p99Nanos,
    long p999Nanos,
    long longestNanos) {}
