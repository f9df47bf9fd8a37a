package io.github.vtdiag.analysis;

/**
 * A recording at whose end every carrier was kept by a pin that had not ended, while virtual
 * threads waited for a carrier.
 *
 * @param recording the recording
 * @param carriers how many carriers there were
 * @param nanos for how long all of them had been kept by then
 * @param queued how many virtual threads waited for a carrier
 */
public record Ending(String recording, int carriers, long nanos, long queued) {}
