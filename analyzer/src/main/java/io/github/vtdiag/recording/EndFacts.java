package io.github.vtdiag.recording;

import io.github.vtdiag.pin.ActiveRecording;
import io.github.vtdiag.pin.ChunkEnd;
import io.github.vtdiag.recording.RecordingFacts.End;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Finds whether a recording is complete. A dump while the program ran is complete. So is the
 * recording of an agent that was attached and detached while the program ran.
 */
final class EndFacts {
  /** The tolerance for a recording to begin with its first chunk. */
  private static final long MOMENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Set<ActiveRecording> recordings = new HashSet<>();
  private ChunkEnd.Why why = ChunkEnd.Why.GOES_ON;
  private long atNanos = Long.MIN_VALUE;
  private long lastChunkNanos = Long.MIN_VALUE;
  private long lastEndNanos = Long.MIN_VALUE;

  void add(ActiveRecording recording) {
    recordings.add(recording);
  }

  void add(ChunkEnd end) {
    if (end.atNanos() >= atNanos) {
      atNanos = end.atNanos();
      why = end.why();
    }
  }

  void addChunk(long fromNanos, long toNanos) {
    if (toNanos >= lastEndNanos) {
      lastEndNanos = toNanos;
      lastChunkNanos = fromNanos;
    }
  }

  /** Returns the way in which the recording ends. */
  End end(boolean finished, boolean attached, long startNanos) {
    if (!finished) {
      return End.UNFINISHED;
    }
    return switch (last()) {
      case DISK_FULL -> End.DISK_FULL;
      case STOPPED -> attached || isAnothers(startNanos) ? End.WRITTEN : End.STOPPED;
      case EXIT, GOES_ON -> End.WRITTEN;
    };
  }

  /** Returns the reason for the end of the last chunk. */
  private ChunkEnd.Why last() {
    return atNanos >= lastChunkNanos ? why : ChunkEnd.Why.GOES_ON;
  }

  /** Returns how long the agent had recorded before the beginning of what is left. */
  long lostNanos(long startNanos) {
    if (last() == ChunkEnd.Why.GOES_ON || isAnothers(startNanos)) {
      return 0;
    }
    long lost =
        recordings.stream()
            .filter(ActiveRecording::isAgents)
            .mapToLong(recording -> startNanos - recording.startNanos())
            .max()
            .orElse(0);
    return lost > MOMENT_NANOS ? lost : 0;
  }

  /** Returns whether it is complete as a recording that the agent did not start. */
  private boolean isAnothers(long startNanos) {
    return recordings.stream()
        .filter(recording -> !recording.isAgents())
        .anyMatch(recording -> Math.abs(recording.startNanos() - startNanos) <= MOMENT_NANOS);
  }
}
