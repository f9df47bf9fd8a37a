package io.github.vtdiag.jfr;

/**
 * The first 68 bytes of a chunk. Unlike all that follows, its numbers have a fixed size.
 *
 * @param size the chunk's length, header included; for an unfinished chunk, the length that can be
 *     read
 * @param metadata the place of the metadata event, from the chunk's start; 0 if none is written yet
 * @param startNanos when it began, in nanoseconds since the epoch
 * @param startTicks the same in ticks
 * @param state 0 once finished; else a number that changes with each flush
 * @param compressed whether integers are compressed
 */
public record ChunkHeader(
    int major,
    int minor,
    long size,
    long metadata,
    long startNanos,
    long durationNanos,
    long startTicks,
    long ticksPerSecond,
    int state,
    boolean compressed) {
  public static final int SIZE = 68;

  /** The state while the JVM rewrites the header: its sizes may not belong together. */
  private static final int UPDATING = 255;

  private static final int COMPRESSED_INTEGERS = 1;

  /** Reads a header, of which {@code SIZE} bytes are available. */
  public static ChunkHeader read(Bytes in) {
    in.skipBytes(4); // "FLR\0"
    int major = in.unsignedByte() << 8 | in.unsignedByte();
    int minor = in.unsignedByte() << 8 | in.unsignedByte();
    long size = in.bigEndianLong();
    in.skipBytes(8); // the last checkpoint; reading on from the start finds them all
    long metadata = in.bigEndianLong();
    long startNanos = in.bigEndianLong();
    long durationNanos = in.bigEndianLong();
    long startTicks = in.bigEndianLong();
    long ticksPerSecond = in.bigEndianLong();
    int state = in.unsignedByte();
    in.skipBytes(2);
    boolean compressed = (in.unsignedByte() & COMPRESSED_INTEGERS) != 0;
    return new ChunkHeader(
        major,
        minor,
        size,
        metadata,
        startNanos,
        durationNanos,
        startTicks,
        ticksPerSecond,
        state,
        compressed);
  }

  static boolean isMagic(byte[] bytes, int at) {
    return bytes[at] == 'F' && bytes[at + 1] == 'L' && bytes[at + 2] == 'R' && bytes[at + 3] == 0;
  }

  /** Returns whether the JVM wrote the chunk's end. */
  public boolean finished() {
    return state == 0;
  }

  /** Returns whether {@code size} is reliable. */
  boolean sized() {
    return size > SIZE && state != UPDATING;
  }

  public long nanos(long ticks) {
    return startNanos + (long) ((ticks - startTicks) / (ticksPerSecond / 1e9));
  }
}
