package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.ChunkHeader;
import io.github.vtdiag.pin.WatchedWaits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The chunks that were read from all files, so that nothing counts twice if files overlap. Examples
 * are dumps of one running JVM, or a dump and the repository that it was made of. No two chunks
 * begin in the same nanosecond and at the same tick.
 */
final class SeenChunks {
  /** An event without its thread, which a copy that is cut off may not have. */
  private record Event(Enum<?> kind, long startNanos, long durationNanos) {}

  /** A chunk in one file. */
  static final class Copy {
    private final Set<Event> events = new HashSet<>();
    private long endNanos = Long.MIN_VALUE;
    private boolean whole;
    private boolean wholeBefore;

    /** Returns whether no other copy can have more. */
    boolean whole() {
      return whole;
    }

    /** Returns whether a copy in an earlier file is whole. */
    boolean wholeBefore() {
      return wholeBefore;
    }

    /** Returns the time up to which it was read. */
    long endNanos() {
      return endNanos;
    }

    /** Notes the time up to which it was read, and whether that is all of it. */
    void readTo(long nanos, boolean all) {
      endNanos = Math.max(endNanos, nanos);
      whole |= all;
      if (whole) {
        events.clear();
      }
    }

    /** Notes an event; returns false if it was noted before. */
    boolean add(Enum<?> kind, long startNanos, long durationNanos) {
      return events.add(new Event(kind, startNanos, durationNanos));
    }
  }

  /**
   * The chunks of the files before, by their start: the time, the tick, the ticks a second. The key
   * is a list. The hash of a record is generated when it is first used, which delays every command.
   */
  private final Map<List<Long>, Copy> before = new HashMap<>();

  /** The chunks of this file. */
  private final Map<List<Long>, Copy> here = new HashMap<>();

  /** The waits that the agent's watch saw, by when the JVM started. */
  private final Map<Long, WatchedWaits> waits = new HashMap<>();

  /**
   * Returns the waits that were read of a JVM.
   *
   * @param jvmStartMillis when it started; 0 if it is unknown
   */
  WatchedWaits waits(long jvmStartMillis) {
    return jvmStartMillis == 0
        ? new WatchedWaits()
        : waits.computeIfAbsent(jvmStartMillis, start -> new WatchedWaits());
  }

  /** Begins another file, from which the following chunks are. */
  void nextFile() {
    here.forEach(before::putIfAbsent);
    here.clear();
    before.values().forEach(copy -> copy.wholeBefore = copy.whole);
  }

  /**
   * Returns the copy of this chunk in an earlier file, or null. Can be called while other copies
   * are noted.
   */
  Copy before(ChunkHeader header) {
    return before.get(start(header));
  }

  /**
   * Notes a chunk that no file before had. A file that repeats a chunk was made so on purpose, and
   * the chunk counts as often as it is there.
   */
  Copy note(ChunkHeader header) {
    return here.computeIfAbsent(start(header), start -> new Copy());
  }

  private static List<Long> start(ChunkHeader header) {
    return List.of(header.startNanos(), header.startTicks(), header.ticksPerSecond());
  }
}
