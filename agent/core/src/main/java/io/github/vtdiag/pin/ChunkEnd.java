package io.github.vtdiag.pin;

/**
 * The end of a chunk of a recording.
 *
 * @param why the reason for the end; in the last chunk, of the end of the recording
 * @param atNanos shortly before that, in nanoseconds since the epoch
 */
public record ChunkEnd(Why why, long atNanos) {

  /** The reasons for the end of a chunk. */
  public enum Why {
    /** The program ended. */
    EXIT,
    /** The agent ended the recording, because its disk was nearly full. */
    DISK_FULL,
    /** The recording was stopped while the program went on. */
    STOPPED,
    /** Another chunk follows, or the recording was dumped. */
    GOES_ON
  }

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if its text is not a known reason
   */
  public static ChunkEnd of(EventValues event) {
    return new ChunkEnd(Why.valueOf(event.text("why")), event.startNanos());
  }
}
