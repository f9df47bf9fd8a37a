package io.github.vtdiag.pin;

/**
 * The end of a chunk of a recording.
 *
 * @param why why it ends; in the last one, why the recording does
 * @param atNanos shortly before that, in nanoseconds since the epoch
 */
public record ChunkEnd(Why why, long atNanos) {

  /** Why a chunk ends. */
  public enum Why {
    /** The program ended. */
    EXIT,
    /** The agent ended the recording, because its disk was nearly full. */
    DISK_FULL,
    /** Somebody stopped a recording while the program went on. */
    STOPPED,
    /** Another chunk comes, or somebody wrote down what there was so far. */
    GOES_ON
  }

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if its text is no reason that is known here
   */
  public static ChunkEnd of(EventValues event) {
    return new ChunkEnd(Why.valueOf(event.text("why")), event.startNanos());
  }
}
