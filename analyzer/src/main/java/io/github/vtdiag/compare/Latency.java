package io.github.vtdiag.compare;

/** How long answers took in one run, in nanoseconds. */
public record Latency(
    long meanNanos,
    long p50Nanos,
    long p90Nanos,
    long p95Nanos,
    long p99Nanos,
    long p999Nanos,
    long longestNanos) {}
