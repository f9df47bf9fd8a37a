package io.github.vtdiag.jfr;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Finds the chunks of a recording, and reads the layout of each. */
public final class ChunkWalker {
  private static final int MAX_MAJOR = 2;

  /** The number of damaged chunks after which reading the rest is not worth the time. */
  private static final int MAX_DAMAGED = 1_000;

  private final int maxChunkSize;
  private final WantedEvents events;
  private final Bytes in = new Bytes();
  private ChunkSource chunks;
  private Metadata metadata;
  private EventTypes types;
  private int damaged;

  public ChunkWalker(int maxChunkSize, WantedEvents events) {
    this.maxChunkSize = maxChunkSize;
    this.events = events;
  }

  /** Creates a walker for chunks that are found within a damaged one. */
  public ChunkWalker(Chunk outer, int maxChunkSize, WantedEvents events) {
    this(maxChunkSize, events);
    metadata = outer.metadata();
    types = outer.types();
  }

  /** Begins a file. */
  public void open(InputStream stream) {
    chunks = new ChunkSource(stream, maxChunkSize);
  }

  /** Returns the next chunk, or null if there is none. */
  public Chunk next() {
    if (damaged >= MAX_DAMAGED || !chunks.next()) {
      return null;
    }
    ChunkHeader header = chunks.header();
    String unreadable = unreadable(header);
    if (!unreadable.isEmpty()) {
      return reject(unreadable, chunks.start(), false);
    }
    boolean followed = chunks.followed();
    if (!readMetadata(header)) {
      // The header's place is cut off or damaged, but the JVM may have written some before.
      followed = false;
      Walk search =
          new Walk(
              chunks.bytes(), chunks.start() + ChunkHeader.SIZE, chunks.end(), EventTypes.none());
      if (!readLastMetadata(search)) {
        return reject(
            "a chunk's type descriptions are missing, so it cannot be read", search.end, true);
      }
    }
    Chunk chunk = new Chunk(chunks, chunks.end(), metadata, types, followed);
    noteState(header, chunk.problems());
    // If a chunk ends as it should, the next one is where it should be, and no search is needed.
    if (!followed && chunk.walk().end < chunk.end()) {
      damaged++;
      chunks.resync(chunk.walk().end);
    }
    return chunk;
  }

  /** Reports what was left out of the file, and releases its bytes. */
  public void close(Problems problems) {
    if (damaged == MAX_DAMAGED) {
      problems.add(MAX_DAMAGED + " chunks are damaged; the rest was not read");
    }
    if (chunks.failure() != null) {
      problems.add("the file cannot be read to its end: " + reason(chunks.failure()));
    }
    problems.unread(chunks.skipped());
    chunks = null;
    in.reset(new byte[0], 0, 0);
  }

  /** Returns why reading failed, in words: not all of the JDK's exceptions have some. */
  public static String reason(IOException e) {
    return e instanceof EOFException || e.getMessage() == null ? "it is cut off" : e.getMessage();
  }

  private static String unreadable(ChunkHeader header) {
    if (header.major() < 1) {
      return "its format version %d.%d is that of Java 8 and before"
          .formatted(header.major(), header.minor());
    }
    if (!header.compressed()) {
      return "a chunk's header says that numbers are not compressed, which no JVM writes";
    }
    return header.ticksPerSecond() <= 0 ? "a chunk's header has no clock" : "";
  }

  private Chunk reject(String problem, int end, boolean stateToo) {
    Chunk chunk = new Chunk(chunks, end, null, null, false);
    if (stateToo) {
      noteState(chunks.header(), chunk.problems());
    }
    chunk.problems().add(problem);
    damaged++;
    chunks.resync(end);
    return chunk;
  }

  private void noteState(ChunkHeader header, List<String> problems) {
    if (header.major() > MAX_MAJOR) {
      problems.add(
          "the format version %d.%d is newer than any that vtdiag knows (%d.x)"
              .formatted(header.major(), header.minor(), MAX_MAJOR));
    }
    if (chunks.oversized()) {
      problems.add(
          "a chunk of %d MB does not fit into memory (see -Xmx); only its beginning was read"
              .formatted((header.sized() ? header.size() : chunks.end() - chunks.start()) >> 20));
    } else if (chunks.cut()) {
      problems.add(
          "the recording is cut off: the last %d bytes of a chunk are missing"
              .formatted(header.size() - (chunks.end() - chunks.start())));
    } else if (header.finished() && !header.sized()) {
      problems.add("a chunk's header has no size; it was read as far as it makes sense");
    } else if (!header.finished()) {
      problems.add(
          "the recording is unfinished: its JVM was killed or is still running; what it wrote after"
              + " its last flush, up to a second, is missing");
    }
  }

  private boolean readMetadata(ChunkHeader header) {
    return header.metadata() >= ChunkHeader.SIZE
        && header.metadata() < chunks.end() - chunks.start()
        && readMetadata(chunks.start() + (int) header.metadata());
  }

  /**
   * Reads the last metadata that is valid. Later metadata adds types to earlier ones; without any,
   * those of the previous chunk hold.
   */
  private boolean readLastMetadata(Walk walk) {
    for (int i = walk.metadata.size() - 1; i >= 0; i--) {
      if (readMetadata(walk.metadata.get(i))) {
        return true;
      }
    }
    return metadata != null;
  }

  private boolean readMetadata(int place) {
    try {
      in.reset(chunks.bytes(), place, chunks.end());
      Metadata described = Metadata.read(in, metadata);
      if (described != metadata) {
        metadata = described;
        types = new EventTypes(described, events);
      }
      return true;
    } catch (Malformed e) {
      return false;
    }
  }
}
