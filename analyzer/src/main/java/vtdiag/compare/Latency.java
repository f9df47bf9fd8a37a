package vtdiag.compare;

/** How long answers took in one run, in nanoseconds. */
public record Latency(long p50Nanos, long p99Nanos, long p999Nanos, long longestNanos) {}
