package vtdiag.recording;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import vtdiag.jfr.ChunkHeader;
import vtdiag.model.PinEpisode;

/**
 * The chunks that were read of all files, so that nothing counts twice where files overlap: dumps
 * of one running JVM, or a dump and the repository that it was made of. No two chunks begin in the
 * same nanosecond and at the same tick.
 */
final class SeenChunks {
  /** A pin without its thread, which a copy that is cut off may not tell. */
  private record Pin(PinEpisode.Kind kind, long startNanos, long durationNanos) {}

  /** A chunk as one file has it. */
  static final class Copy {
    private final int file;
    private final Set<Pin> pins = new HashSet<>();
    private long endNanos = Long.MIN_VALUE;
    private boolean whole;

    private Copy(int file) {
      this.file = file;
    }

    /** Whether no other copy can have more. */
    boolean whole() {
      return whole;
    }

    /** Up to when it was read. */
    long endNanos() {
      return endNanos;
    }

    /** Notes up to when it was read, and whether that is all of it. */
    void readTo(long nanos, boolean all) {
      endNanos = Math.max(endNanos, nanos);
      whole |= all;
      if (whole) {
        pins.clear();
      }
    }

    /** Notes a pin; false if it was noted before. */
    boolean add(PinEpisode pin) {
      return pins.add(new Pin(pin.kind(), pin.startNanos(), pin.durationNanos()));
    }
  }

  /**
   * By when a chunk begins: the time, the tick, the ticks a second. A list, because the hash of a
   * record is made when it is first asked for, and every command would wait for that.
   */
  private final Map<List<Long>, Copy> copies = new HashMap<>();

  private int file;

  /** Says that the chunks that follow are another file's. */
  void nextFile() {
    file++;
  }

  /** The copy of this chunk in a file before this one, or null. */
  Copy before(ChunkHeader header) {
    Copy copy = copies.get(start(header));
    // A file that repeats a chunk is one that somebody made so.
    return copy == null || copy.file == file ? null : copy;
  }

  /** Takes note of a chunk that no file before had. */
  Copy note(ChunkHeader header) {
    return copies.computeIfAbsent(start(header), start -> new Copy(file));
  }

  private static List<Long> start(ChunkHeader header) {
    return List.of(header.startNanos(), header.startTicks(), header.ticksPerSecond());
  }
}
