package io.github.vtdiag.model;

import java.util.List;

/**
 * A recorded stack, innermost frame first.
 *
 * @param frames the frames; empty where the recording has no stack for the event
 * @param truncated whether outer frames were cut off at JFR's {@code stackdepth}
 */
public record StackTrace(List<Frame> frames, boolean truncated) {
  /** The stack of an event that carries none. */
  public static final StackTrace ABSENT = new StackTrace(List.of(), false);

  public StackTrace {
    frames = List.copyOf(frames);
  }

  public boolean isAbsent() {
    return frames.isEmpty();
  }
}
