package io.github.vtdiag.analysis;

/**
 * The end of a recording at which pins that had not ended held every carrier, and virtual threads
 * were queued.
 *
 * @param recording the recording
 * @param carriers the number of carriers
 * @param nanos the time for which all carriers had been held by then
 * @param queued the number of queued virtual threads
 */
public record Ending(String recording, int carriers, long nanos, long queued) {}
