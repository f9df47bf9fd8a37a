package io.github.vtdiag.recording;

import io.github.vtdiag.pin.ActiveRecording;
import io.github.vtdiag.pin.ChunkEnd;
import io.github.vtdiag.recording.RecordingFacts.End;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Gathers whether a recording has all of the program's time that it was made for. What somebody
 * chose to write down while the program ran is all that was wanted, and so is the recording of an
 * agent that came while it ran, and went.
 */
final class EndFacts {
  /** A recording begins with its first chunk, but for a moment. */
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

  /** How it ends. */
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

  /** Why the last chunk ends. */
  private ChunkEnd.Why last() {
    return atNanos >= lastChunkNanos ? why : ChunkEnd.Why.GOES_ON;
  }

  /** How long the agent's recording had run when what is left of it begins. */
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

  /** Whether it is whole as the recording of somebody else. */
  private boolean isAnothers(long startNanos) {
    return recordings.stream()
        .filter(recording -> !recording.isAgents())
        .anyMatch(recording -> Math.abs(recording.startNanos() - startNanos) <= MOMENT_NANOS);
  }
}
