package vtdiag.jfr;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import vtdiag.jfr.Metadata.JfrType;
import vtdiag.recording.Recordings;

/** Finds the chunks of a recording, and in each of them where the wanted events are. */
public final class ChunkWalker {
  private static final int MAX_MAJOR = 2;

  /** After so many damaged chunks the rest is not worth the time. */
  private static final int MAX_DAMAGED = 1_000;

  /**
   * A chunk whose events were found but not read. Its bytes hold until the next but one is walked.
   *
   * @param bytes what {@code start} and {@code end} are places in
   * @param types null if the chunk cannot be read
   * @param walk null if the chunk cannot be read
   * @param whole whether nothing of it is missing
   * @param problems what is wrong with it, one sentence each
   */
  @SuppressWarnings("ArrayRecordComponent") // It is not compared.
  public record Chunk(
      ChunkHeader header,
      byte[] bytes,
      int start,
      int end,
      Metadata metadata,
      EventTypes types,
      Walk walk,
      boolean whole,
      List<String> problems) {

    public boolean readable() {
      return walk != null;
    }

    public List<JfrType> wanted() {
      return types.wanted();
    }
  }

  private final int maxChunkSize;
  private final Bytes in = new Bytes();
  private ChunkSource chunks;
  private Metadata metadata;
  private EventTypes types;
  private int damaged;

  public ChunkWalker(int maxChunkSize) {
    this.maxChunkSize = maxChunkSize;
  }

  /** Goes to a file. */
  public void open(InputStream stream) {
    chunks = new ChunkSource(stream, maxChunkSize);
  }

  /** The next chunk, or null if there is none. */
  public Chunk next() {
    if (damaged >= MAX_DAMAGED || !chunks.next()) {
      return null;
    }
    List<String> problems = new ArrayList<>();
    ChunkHeader header = chunks.header();
    String unreadable = unreadable(header);
    if (!unreadable.isEmpty()) {
      return reject(unreadable, chunks.start(), problems);
    }
    noteState(header, problems);
    if (!readMetadata(header)) {
      // The header's place is cut off or damaged, but the JVM may have written some before.
      Walk search = walk(EventTypes.NONE);
      if (!readLastMetadata(search)) {
        return reject(
            "a chunk's type descriptions are missing, so it cannot be read", search.end, problems);
      }
    }
    Walk walk = walk(types);
    if (walk.end < chunks.end()) {
      if (!chunks.cut()) { // else it has been said
        problems.add(
            "a chunk is damaged %d bytes after its start; the rest of it was left out"
                .formatted(walk.end - chunks.start()));
      }
      damaged++;
      chunks.resync(walk.end);
    }
    boolean whole = header.finished() && !chunks.cut() && walk.end == chunks.end();
    return new Chunk(
        header,
        chunks.bytes(),
        chunks.start(),
        chunks.end(),
        metadata,
        types,
        walk,
        whole,
        problems);
  }

  /** Says what was left out of the file, and lets go of its bytes. */
  public void close(Problems problems) {
    if (damaged == MAX_DAMAGED) {
      problems.add(MAX_DAMAGED + " chunks are damaged; the rest was not read");
    }
    if (chunks.failure() != null) {
      problems.add("the file cannot be read to its end: " + Recordings.reason(chunks.failure()));
    }
    problems.unread(chunks.skipped());
    chunks = null;
    in.reset(new byte[0], 0, 0);
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

  private Chunk reject(String problem, int end, List<String> problems) {
    problems.add(problem);
    damaged++;
    chunks.resync(end);
    return new Chunk(
        chunks.header(), chunks.bytes(), chunks.start(), end, null, null, null, false, problems);
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

  private Walk walk(EventTypes wanted) {
    return new Walk(chunks.bytes(), chunks.start() + ChunkHeader.SIZE, chunks.end(), wanted);
  }

  private boolean readMetadata(ChunkHeader header) {
    return header.metadata() >= ChunkHeader.SIZE
        && header.metadata() < chunks.end() - chunks.start()
        && readMetadata(chunks.start() + (int) header.metadata());
  }

  /** Later metadata adds types to earlier ones; without any, those of the chunk before hold. */
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
        types = new EventTypes(described);
      }
      return true;
    } catch (Malformed e) {
      return false;
    }
  }
}
