package vtdiag.recording;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import vtdiag.jfr.Ahead;
import vtdiag.jfr.Bytes;
import vtdiag.jfr.ChunkHeader;
import vtdiag.jfr.ChunkWalker;
import vtdiag.jfr.ChunkWalker.Chunk;
import vtdiag.jfr.Constants;
import vtdiag.jfr.Event;
import vtdiag.jfr.Malformed;
import vtdiag.jfr.Metadata.JfrType;
import vtdiag.jfr.Problems;
import vtdiag.jfr.Walk;
import vtdiag.model.ClassMonitors;
import vtdiag.model.DataException;
import vtdiag.model.PinEpisode;
import vtdiag.pin.Events;
import vtdiag.recording.TimeRange.Span;

/**
 * Reads one recording, which can be in several files, chunk by chunk: notes where the wanted events
 * and the constants are, then reads those and no others. The format is described in
 * docs/recording-format.md.
 */
final class RecordingReader {
  private final String source;
  private final TimeRange range;
  private final boolean inOrder;
  private final SeenChunks seen;
  private final ChunkWalker walker;
  private final Problems problems = new Problems();
  private final Facts facts = new Facts(problems);
  private final Constants constants = new Constants(problems);
  private final Bytes in = new Bytes();
  private final List<PinEpisode> episodes = new ArrayList<>();
  private int chunksRead;
  private int chunksRepeated;

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
    walker = new ChunkWalker(maxChunkSize);
  }

  /** Reads the chunks of a file, whose bytes are not needed after that. */
  void add(InputStream stream) throws DataException {
    walker.open(stream);
    seen.nextFile();
    // While one chunk is read the next is fetched and walked; they come in the order of the file.
    try (Ahead<Chunk> walked = new Ahead<>(walker::next)) {
      for (Chunk chunk = walked.next(); chunk != null; chunk = walked.next()) {
        chunk.problems().forEach(problems::add);
        if (chunk.readable()) {
          readChunk(chunk);
        }
      }
    }
    walker.close(problems);
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
    if (!range.isAll()) {
      episodes.removeIf(pin -> !span.overlaps(pin.startNanos(), pin.endNanos()));
      episodes.replaceAll(pin -> clip(pin, span));
    }
    episodes.sort(Comparator.comparingLong(PinEpisode::startNanos));
    List<ClassMonitors> lockMaps = facts.lockMaps();
    return Optional.of(
        new RecordingData(facts.build(source, span), episodes, lockMaps, facts.samples()));
  }

  private static PinEpisode clip(PinEpisode pin, Span span) {
    long end = pin.endNanos();
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

  private void readChunk(Chunk chunk) throws DataException {
    ChunkHeader header = chunk.header();
    boolean whole = chunk.whole();
    long end = whole ? header.startNanos() + header.durationNanos() : lastNanos(chunk);
    SeenChunks.Copy before = seen.before(header);
    if (before != null && range.isRelative()) {
      throw new DataException(
          source
              + ": has a chunk that another file has too; name only one of them, or give --from and"
              + " --to with the date");
    }
    if (before != null && before.whole()) {
      facts.leaveOut(header.startNanos(), end);
      readEvents(chunk, end, Span.NONE, pin -> false);
      chunksRepeated++;
      return;
    }
    facts.addSpan(header.startNanos(), end);
    if (before == null) {
      SeenChunks.Copy copy = seen.note(header);
      int first = episodes.size();
      readEvents(chunk, end, knownSpan(), pin -> true);
      copy.readTo(end, whole);
      if (!whole) {
        episodes.subList(first, episodes.size()).forEach(copy::add);
      }
    } else {
      facts.leaveOut(header.startNanos(), before.endNanos());
      readEvents(chunk, end, knownSpan(), before::add);
      before.readTo(end, whole);
    }
    chunksRead++;
  }

  /** What is known of the range's place in time while the recording is read. */
  private Span knownSpan() {
    return range.span(
        inOrder ? OptionalLong.of(facts.startNanos()) : OptionalLong.empty(), OptionalLong.empty());
  }

  /**
   * Reads a chunk's facts and pins.
   *
   * @param endNanos when the chunk ends
   * @param span of the other pins no more is read than when they were
   * @param isNew whether a pin counts
   */
  private void readEvents(Chunk chunk, long endNanos, Span span, Predicate<PinEpisode> isNew) {
    Walk walk = chunk.walk();
    constants.reset(chunk.metadata(), chunk.wanted(), chunk.bytes(), chunk.end(), walk.checkpoints);
    List<Event> cursors = new ArrayList<>();
    for (JfrType type : chunk.wanted()) {
      cursors.add(new Event(type, constants, chunk.header()));
    }
    int jdkBefore = facts.jdk();
    boolean all = span.isAll();
    Walk.Places pins = new Walk.Places();
    for (int i = 0; i < walk.pins.size(); i++) {
      try {
        Event event = eventAt(chunk, walk.pins.get(i), cursors);
        if (Events.canBePin(event.type(), jdkBefore) && (all || span.overlaps(event))) {
          constants.wantStack(event.stackId());
          pins.add(walk.pins.get(i));
        }
      } catch (Malformed e) {
        problems.damagedEvent();
      }
    }
    for (int i = 0; i < walk.facts.size(); i++) {
      try {
        facts.add(eventAt(chunk, walk.facts.get(i), cursors));
      } catch (Malformed e) {
        problems.damagedEvent();
      }
    }
    facts.endChunk(chunk.metadata(), span.overlaps(chunk.header().startNanos(), endNanos));
    int jdk = facts.jdk();
    if (jdkBefore == 0) {
      episodes.removeIf(episode -> !Events.isPin(episode.kind(), jdk));
    }
    for (int i = 0; i < pins.size(); i++) {
      try {
        Events.episode(eventAt(chunk, pins.get(i), cursors), jdk)
            .filter(isNew)
            .ifPresent(episodes::add);
      } catch (Malformed e) {
        problems.damagedEvent();
      }
    }
  }

  private Event eventAt(Chunk chunk, int place, List<Event> cursors) {
    in.reset(chunk.bytes(), place, chunk.end());
    int end = place + (int) in.varint();
    long type = in.varint();
    for (Event event : cursors) {
      if (event.typeId() == type) {
        event.moveTo(chunk.bytes(), in.position, end);
        return event;
      }
    }
    throw new IllegalStateException("the walk noted an event of no wanted type");
  }

  /** When the last event began, of a chunk whose header does not tell its end. */
  private long lastNanos(Chunk chunk) {
    long lastTicks = chunk.header().startTicks();
    int place = chunk.start() + ChunkHeader.SIZE;
    int end = chunk.walk().end;
    while (place < end) {
      in.reset(chunk.bytes(), place, end);
      int size = (int) in.varint();
      try {
        in.varint();
        lastTicks = Math.max(lastTicks, in.varint());
      } catch (Malformed e) {
        // An event without a time.
      }
      place += size;
    }
    return chunk.header().nanos(lastTicks);
  }
}
