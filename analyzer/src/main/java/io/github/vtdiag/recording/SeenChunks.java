package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.ChunkHeader;
import io.github.vtdiag.pin.WatchedWaits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The chunks that were read of all files, so that nothing counts twice where files overlap: dumps
 * of one running JVM, or a dump and the repository that it was made of. No two chunks begin in the
 * same nanosecond and at the same tick.
 */
final class SeenChunks {
  /** An event without its thread, which a copy that is cut off may not tell. */
  private record Event(Enum<?> kind, long startNanos, long durationNanos) {}

  /** A chunk as one file has it. */
  static final class Copy {
    private final Set<Event> events = new HashSet<>();
    private long endNanos = Long.MIN_VALUE;
    private boolean whole;
    private boolean wholeBefore;

    /** Whether no other copy can have more. */
    boolean whole() {
      return whole;
    }

    /** Whether that is so of the files before the one that is read. */
    boolean wholeBefore() {
      return wholeBefore;
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
        events.clear();
      }
    }

    /** Notes an event; false if it was noted before. */
    boolean add(Enum<?> kind, long startNanos, long durationNanos) {
      return events.add(new Event(kind, startNanos, durationNanos));
    }
  }

  /**
   * Those of the files before, by when a chunk begins: the time, the tick, the ticks a second. A
   * list, because the hash of a record is made when it is first asked for, and every command would
   * wait for that.
   */
  private final Map<List<Long>, Copy> before = new HashMap<>();

  /** Those of this file. */
  private final Map<List<Long>, Copy> here = new HashMap<>();

  /** The waits that the agent's watch saw, by when the JVM started. */
  private final Map<Long, WatchedWaits> waits = new HashMap<>();

  /**
   * The waits that were read of a JVM.
   *
   * @param jvmStartMillis when it started; 0 if that is not known
   */
  WatchedWaits waits(long jvmStartMillis) {
    return jvmStartMillis == 0
        ? new WatchedWaits()
        : waits.computeIfAbsent(jvmStartMillis, start -> new WatchedWaits());
  }

  /** Says that the chunks that follow are another file's. */
  void nextFile() {
    here.forEach(before::putIfAbsent);
    here.clear();
    before.values().forEach(copy -> copy.wholeBefore = copy.whole);
  }

  /**
   * The copy of this chunk in a file before this one, or null. It may be asked for while others are
   * noted.
   */
  Copy before(ChunkHeader header) {
    return before.get(start(header));
  }

  /**
   * Takes note of a chunk that no file before had. A file that repeats a chunk is one that somebody
   * made so, and its chunks count as often as they are there.
   */
  Copy note(ChunkHeader header) {
    return here.computeIfAbsent(start(header), start -> new Copy());
  }

  private static List<Long> start(ChunkHeader header) {
    return List.of(header.startNanos(), header.startTicks(), header.ticksPerSecond());
  }
}
