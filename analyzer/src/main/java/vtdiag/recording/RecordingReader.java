package vtdiag.recording;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import vtdiag.model.ClassMonitors;
import vtdiag.model.PinEpisode;
import vtdiag.pin.Events;
import vtdiag.recording.Metadata.JfrType;

/**
 * Reads one recording, chunk by chunk: notes where the wanted events and the constants are, then
 * reads those and no others. The format is described in docs/recording-format.md.
 */
final class RecordingReader {
  private static final int MAX_MAJOR = 2;

  /** After so many damaged chunks the rest is not worth the time. */
  private static final int MAX_DAMAGED = 1_000;

  private final String source;
  private final ChunkSource chunks;
  private final Problems problems = new Problems();
  private final Facts facts = new Facts(problems);
  private final Constants constants = new Constants(problems);
  private final Bytes in = new Bytes();
  private final List<PinEpisode> episodes = new ArrayList<>();
  private Metadata metadata;
  private EventTypes types;
  private int chunksRead;
  private int chunksDamaged;

  RecordingReader(String source, InputStream stream) {
    this(source, stream, ChunkSource.MAX_SIZE);
  }

  RecordingReader(String source, InputStream stream, int maxChunkSize) {
    this.source = source;
    chunks = new ChunkSource(stream, maxChunkSize);
  }

  RecordingData read() throws DataException {
    while (chunksDamaged < MAX_DAMAGED && chunks.next()) {
      readChunk(chunks.header());
    }
    if (chunksDamaged == MAX_DAMAGED) {
      problems.add(MAX_DAMAGED + " chunks are damaged; the rest was not read");
    }
    if (chunks.failure() != null) {
      problems.add("the file cannot be read to its end: " + Recordings.reason(chunks.failure()));
    }
    problems.unread(chunks.skipped());
    if (chunksRead == 0) {
      throw new DataException(
          source + ": nothing can be read: " + String.join("; ", problems.sentences()));
    }
    episodes.sort(Comparator.comparingLong(PinEpisode::startNanos));
    List<ClassMonitors> lockMaps = facts.lockMaps();
    return new RecordingData(facts.build(source), episodes, lockMaps, facts.samples());
  }

  private void readChunk(ChunkHeader header) {
    String unreadable = unreadable(header);
    if (!unreadable.isEmpty()) {
      reject(unreadable, chunks.start());
      return;
    }
    noteState(header);
    if (!readMetadata(header)) {
      // The header's place is cut off or damaged, but the JVM may have written some before.
      Walk search = walk(EventTypes.NONE);
      if (!readLastMetadata(search)) {
        reject("a chunk's type descriptions are missing, so it cannot be read", search.end);
        return;
      }
    }
    Walk walk = walk(types);
    if (walk.end < chunks.end()) {
      if (!chunks.cut()) { // else it has been said
        problems.add(
            "a chunk is damaged %d bytes after its start; the rest of it was left out"
                .formatted(walk.end - chunks.start()));
      }
      chunksDamaged++;
      chunks.resync(walk.end);
    }
    readEvents(header, walk);
    boolean whole = header.finished() && !chunks.cut() && walk.end == chunks.end();
    facts.addSpan(
        header.startNanos(),
        whole ? header.startNanos() + header.durationNanos() : lastNanos(header, walk.end));
    chunksRead++;
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

  private void reject(String problem, int end) {
    problems.add(problem);
    chunksDamaged++;
    chunks.resync(end);
  }

  private void noteState(ChunkHeader header) {
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

  private void readEvents(ChunkHeader header, Walk walk) {
    constants.reset(metadata, types.wanted(), chunks.bytes(), chunks.end(), walk.checkpoints);
    List<Event> cursors = new ArrayList<>();
    for (JfrType type : types.wanted()) {
      cursors.add(new Event(type, constants, header));
    }
    for (int i = 0; i < walk.pins.size(); i++) {
      try {
        constants.wantStack(eventAt(walk.pins.get(i), cursors).stackId());
      } catch (Malformed e) {
        // Said below.
      }
    }
    boolean jdkKnown = facts.jdk() != 0;
    for (int i = 0; i < walk.facts.size(); i++) {
      try {
        facts.add(eventAt(walk.facts.get(i), cursors));
      } catch (Malformed e) {
        problems.damagedEvent();
      }
    }
    facts.endChunk(metadata);
    int jdk = facts.jdk();
    if (!jdkKnown) {
      episodes.removeIf(episode -> !Events.isPin(episode.kind(), jdk));
    }
    for (int i = 0; i < walk.pins.size(); i++) {
      try {
        Events.episode(eventAt(walk.pins.get(i), cursors), jdk).ifPresent(episodes::add);
      } catch (Malformed e) {
        problems.damagedEvent();
      }
    }
  }

  private Event eventAt(int place, List<Event> cursors) {
    in.reset(chunks.bytes(), place, chunks.end());
    int end = place + (int) in.varint();
    long type = in.varint();
    for (Event event : cursors) {
      if (event.typeId() == type) {
        event.moveTo(chunks.bytes(), in.position, end);
        return event;
      }
    }
    throw new IllegalStateException("the walk noted an event of no wanted type");
  }

  /** When the last event began, of a chunk whose header does not tell its end. */
  private long lastNanos(ChunkHeader header, int end) {
    long lastTicks = header.startTicks();
    int place = chunks.start() + ChunkHeader.SIZE;
    while (place < end) {
      in.reset(chunks.bytes(), place, end);
      int size = (int) in.varint();
      try {
        in.varint();
        lastTicks = Math.max(lastTicks, in.varint());
      } catch (Malformed e) {
        // An event without a time.
      }
      place += size;
    }
    return header.nanos(lastTicks);
  }
}
