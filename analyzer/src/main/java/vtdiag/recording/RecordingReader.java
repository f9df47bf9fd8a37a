package vtdiag.recording;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import vtdiag.model.ClassMonitors;
import vtdiag.model.PinEpisode;
import vtdiag.pin.Events;
import vtdiag.recording.Metadata.JfrType;
import vtdiag.recording.TimeRange.Span;

/**
 * Reads one recording, which can be in several files, chunk by chunk: notes where the wanted events
 * and the constants are, then reads those and no others. The format is described in
 * docs/recording-format.md.
 */
final class RecordingReader {
  private static final int MAX_MAJOR = 2;

  /** After so many damaged chunks the rest is not worth the time. */
  private static final int MAX_DAMAGED = 1_000;

  private final String source;
  private final TimeRange range;
  private final boolean inOrder;
  private final SeenChunks seen;
  private final int maxChunkSize;
  private final Problems problems = new Problems();
  private final Facts facts = new Facts(problems);
  private final Constants constants = new Constants(problems);
  private final Bytes in = new Bytes();
  private final List<PinEpisode> episodes = new ArrayList<>();
  private ChunkSource chunks;
  private Metadata metadata;
  private EventTypes types;
  private int chunksRead;
  private int chunksRepeated;
  private int chunksDamaged;

  /**
   * Reads nothing yet.
   *
   * @param range the pins that are wanted
   * @param inOrder whether the first chunk that comes is the earliest
   * @param seen the chunks that need not be read again
   */
  RecordingReader(
      String source, TimeRange range, boolean inOrder, SeenChunks seen, int maxChunkSize) {
    this.source = source;
    this.range = range;
    this.inOrder = inOrder;
    this.seen = seen;
    this.maxChunkSize = maxChunkSize;
  }

  /** Reads the chunks of a file, whose bytes are not needed after that. */
  void add(InputStream stream) throws DataException {
    chunks = new ChunkSource(stream, maxChunkSize);
    seen.nextFile();
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
    chunks = null;
    constants.release();
    in.reset(new byte[0], 0, 0);
  }

  String source() {
    return source;
  }

  /** Says what could not be read of the recording. */
  void problem(String sentence) {
    problems.add(sentence);
  }

  /**
   * What was read.
   *
   * @return empty if other files have all of it
   * @throws DataException if nothing could be read
   */
  Optional<RecordingData> finish() throws DataException {
    if (chunksRead == 0) {
      if (chunksRepeated > 0) {
        return Optional.empty();
      }
      throw new DataException(
          source + ": nothing can be read: " + String.join("; ", problems.sentences()));
    }
    String ambiguity = range.ambiguity(facts.startNanos(), facts.endNanos());
    if (!ambiguity.isEmpty()) {
      throw new DataException(source + ": " + ambiguity);
    }
    Span span = range.span(OptionalLong.of(facts.startNanos()), OptionalLong.of(facts.endNanos()));
    List<PinEpisode> inside =
        episodes.stream()
            .filter(e -> span.overlaps(e.startNanos(), e.startNanos() + e.durationNanos()))
            .map(e -> clip(e, span))
            .sorted(Comparator.comparingLong(PinEpisode::startNanos))
            .toList();
    List<ClassMonitors> lockMaps = facts.lockMaps();
    return Optional.of(
        new RecordingData(facts.build(source, span), inside, lockMaps, facts.samples()));
  }

  private static PinEpisode clip(PinEpisode pin, Span span) {
    long end = pin.startNanos() + pin.durationNanos();
    if (pin.startNanos() >= span.from() && end <= span.to()) {
      return pin;
    }
    long from = Math.max(pin.startNanos(), span.from());
    return new PinEpisode(
        pin.kind(),
        from,
        Math.min(end, span.to()) - from,
        pin.thread(),
        pin.stack(),
        pin.pinnedReason(),
        pin.blockingOperation(),
        pin.lockClass());
  }

  private void readChunk(ChunkHeader header) throws DataException {
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
    boolean whole = header.finished() && !chunks.cut() && walk.end == chunks.end();
    long end = whole ? header.startNanos() + header.durationNanos() : lastNanos(header, walk.end);
    SeenChunks.Copy before = seen.before(header);
    if (before != null && range.isRelative()) {
      throw new DataException(
          source
              + ": has a chunk that another file has too; name only one of them, or give --from and"
              + " --to with the date");
    }
    if (before != null && before.whole()) {
      facts.leaveOut(header.startNanos(), end);
      readEvents(header, walk, end, Span.NONE, pin -> false);
      chunksRepeated++;
      return;
    }
    facts.addSpan(header.startNanos(), end);
    if (before == null) {
      SeenChunks.Copy copy = seen.note(header);
      int first = episodes.size();
      readEvents(header, walk, end, knownSpan(), pin -> true);
      copy.readTo(end, whole);
      if (!whole) {
        episodes.subList(first, episodes.size()).forEach(copy::add);
      }
    } else {
      facts.leaveOut(header.startNanos(), before.endNanos());
      readEvents(header, walk, end, knownSpan(), before::add);
      before.readTo(end, whole);
    }
    chunksRead++;
  }

  /** What is known of the range's place in time while the recording is read. */
  private Span knownSpan() {
    return range.span(
        inOrder ? OptionalLong.of(facts.startNanos()) : OptionalLong.empty(), OptionalLong.empty());
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

  /**
   * Reads a chunk's facts and pins.
   *
   * @param endNanos when the chunk ends
   * @param span of the other pins no more is read than when they were
   * @param isNew whether a pin counts
   */
  private void readEvents(
      ChunkHeader header, Walk walk, long endNanos, Span span, Predicate<PinEpisode> isNew) {
    constants.reset(metadata, types.wanted(), chunks.bytes(), chunks.end(), walk.checkpoints);
    List<Event> cursors = new ArrayList<>();
    for (JfrType type : types.wanted()) {
      cursors.add(new Event(type, constants, header));
    }
    int jdkBefore = facts.jdk();
    Walk.Places pins = new Walk.Places();
    for (int i = 0; i < walk.pins.size(); i++) {
      try {
        Event event = eventAt(walk.pins.get(i), cursors);
        if (Events.canBePin(event.type(), jdkBefore) && span.overlaps(event)) {
          constants.wantStack(event.stackId());
          pins.add(walk.pins.get(i));
        }
      } catch (Malformed e) {
        problems.damagedEvent();
      }
    }
    for (int i = 0; i < walk.facts.size(); i++) {
      try {
        facts.add(eventAt(walk.facts.get(i), cursors));
      } catch (Malformed e) {
        problems.damagedEvent();
      }
    }
    facts.endChunk(metadata, span.overlaps(header.startNanos(), endNanos));
    int jdk = facts.jdk();
    if (jdkBefore == 0) {
      episodes.removeIf(episode -> !Events.isPin(episode.kind(), jdk));
    }
    for (int i = 0; i < pins.size(); i++) {
      try {
        Events.episode(eventAt(pins.get(i), cursors), jdk).filter(isNew).ifPresent(episodes::add);
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
