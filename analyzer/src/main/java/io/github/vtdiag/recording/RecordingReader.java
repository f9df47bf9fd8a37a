package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.Chunk;
import io.github.vtdiag.jfr.ChunkHeader;
import io.github.vtdiag.jfr.ChunkWalker;
import io.github.vtdiag.jfr.Problems;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.ChunkDecoder.Task;
import io.github.vtdiag.recording.TimeRange.Span;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads one recording, which can be in several files. Its chunks are decoded in parallel, each by
 * itself, and merged one by one in the order of the files. So the result does not depend on which
 * was decoded first. The format is described in docs/recording-format.md.
 */
final class RecordingReader {
  private final String source;
  private final TimeRange range;
  private final boolean inOrder;
  private final SeenChunks seen;
  private final ChunkWalker walker;
  private final Problems problems = new Problems();
  private final Facts facts = new Facts(problems);
  private final Stacks stacks = new Stacks();
  private final PinTable pins = new PinTable(stacks);
  private final EventTable events = new EventTable(stacks);
  private final int maxChunkSize;
  private final EventSelection selection;
  private final boolean withThreads;

  /** The start of the first chunk whose pins are read. */
  private long firstNanos = Long.MAX_VALUE;

  private int jdkBefore;
  private int chunksRead;
  private int chunksRepeated;

  /**
   * Creates a reader, without reading anything.
   *
   * @param range the wanted pins
   * @param inOrder whether the first chunk that comes is the earliest
   * @param seen the chunks that need not be read again
   * @param selection the events besides pins that get rows; for a part of the time all do, because
   *     that part may be known only at the end
   * @param withThreads whether threads may be started to read faster
   */
  RecordingReader(
      String source,
      TimeRange range,
      boolean inOrder,
      SeenChunks seen,
      int maxChunkSize,
      EventSelection selection,
      boolean withThreads) {
    this.source = source;
    this.range = range;
    this.inOrder = inOrder;
    this.seen = seen;
    this.maxChunkSize = maxChunkSize;
    this.selection = range.isAll() ? selection : EventSelection.ALL;
    this.withThreads = withThreads;
    walker = new ChunkWalker(maxChunkSize, ChunkDecoder.EVENTS);
  }

  /** Reads the chunks of a file, whose bytes are not needed after that. */
  void add(InputStream stream) throws DataException {
    walker.open(stream);
    seen.nextFile();
    try (InOrder<Task, ChunkData> chunks =
        new InOrder<>(
            this::next, () -> new ChunkDecoder(maxChunkSize, selection)::decode, withThreads)) {
      for (ChunkData chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
        merge(chunk);
      }
    }
    walker.close(problems);
  }

  /** Returns the next chunk of the file, or null; meanwhile, earlier ones are still decoded. */
  private Task next() {
    Chunk chunk = walker.next();
    if (chunk == null) {
      return null;
    }
    SeenChunks.Copy before = seen.before(chunk.header());
    if (before != null && before.wholeBefore()) {
      return new Task(chunk, Span.NONE, false);
    }
    firstNanos = Math.min(firstNanos, chunk.header().startNanos());
    return new Task(
        chunk,
        range.span(
            inOrder ? OptionalLong.of(firstNanos) : OptionalLong.empty(), OptionalLong.empty()),
        before != null);
  }

  String source() {
    return source;
  }

  /** Adds a sentence on what could not be read of the recording. */
  void problem(String sentence) {
    problems.add(sentence);
  }

  /**
   * Returns what was read.
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
    facts.addWatched(pins, seen);
    if (!range.isAll()) {
      pins.clip(span);
      events.clip(span);
    }
    List<ClassMonitors> lockMaps = facts.lockMaps();
    return Optional.of(
        new RecordingData(
            facts.build(source, span),
            pins,
            events,
            facts.waitsIn(span),
            lockMaps,
            facts.samples()));
  }

  /** Adds the content of a chunk, after all that came before it in the order of the files. */
  private void merge(ChunkData chunk) throws DataException {
    problems.addAll(chunk.problems);
    if (chunk.readable()) {
      mergeReadable(chunk);
    }
    for (ChunkData within : chunk.within) {
      merge(within);
    }
  }

  private void mergeReadable(ChunkData chunk) throws DataException {
    ChunkHeader header = chunk.header;
    SeenChunks.Copy before = seen.before(header);
    if (before != null && range.isRelative()) {
      throw new DataException(
          source
              + ": has a chunk that another file has too; name only one of them, or give --from and"
              + " --to with the date");
    }
    if (before != null && before.whole()) {
      facts.leaveOut(header.startNanos(), chunk.endNanos);
      mergeFacts(chunk, false);
      chunksRepeated++;
      return;
    }
    facts.addSpan(header.startNanos(), chunk.endNanos, header.finished());
    boolean wanted = knownSpan().overlaps(header.startNanos(), chunk.endNanos);
    if (before == null) {
      SeenChunks.Copy copy = seen.note(header);
      mergeFacts(chunk, wanted);
      mergePins(chunk, null);
      copy.readTo(chunk.endNanos, chunk.whole);
      for (int i = 0; !chunk.whole && i < chunk.pins; i++) {
        addTo(copy, chunk, i);
      }
      mergeEvents(chunk, chunk.whole ? null : copy);
    } else {
      facts.leaveOut(header.startNanos(), before.endNanos());
      mergeFacts(chunk, wanted);
      mergePins(chunk, before);
      mergeEvents(chunk, before);
      before.readTo(chunk.endNanos, chunk.whole);
    }
    chunksRead++;
  }

  /** Returns the range's place in time, as far as it is known while the recording is read. */
  private Span knownSpan() {
    return range.span(
        inOrder ? OptionalLong.of(facts.startNanos()) : OptionalLong.empty(), OptionalLong.empty());
  }

  private void mergeFacts(ChunkData chunk, boolean wanted) {
    jdkBefore = facts.jdk();
    chunk.facts.forEach(fact -> fact.accept(facts));
    facts.endChunk(chunk.metadata, wanted);
    if (jdkBefore == 0 && !monitorsPin()) {
      pins.removeAllBut(PinEpisode.Kind.PINNED);
    }
  }

  private boolean monitorsPin() {
    return Events.isPin(PinEpisode.Kind.MONITOR_ENTER, facts.jdk())
        && Events.isPin(PinEpisode.Kind.MONITOR_ENTER, jdkBefore);
  }

  /**
   * Adds a chunk's pins.
   *
   * @param before the copy that may have some of them; null if there is none
   */
  private void mergePins(ChunkData chunk, SeenChunks.Copy before) {
    boolean monitorsPin = monitorsPin();
    int[] threads = chunk.threads.stream().mapToInt(pins::thread).toArray();
    int[] carriers = chunk.carriers.stream().mapToInt(pins::carrierNumber).toArray();
    int[] looks = chunk.looks.stream().mapToInt(pins::look).toArray();
    for (int i = 0; i < chunk.pins; i++) {
      boolean isPin =
          monitorsPin || chunk.looks.get(chunk.lookOf[i]).words().kind() == PinEpisode.Kind.PINNED;
      if (isPin && (before == null || addTo(before, chunk, i))) {
        pins.add(
            chunk.starts[i],
            chunk.durations[i],
            threads[chunk.threadOf[i]],
            looks[chunk.lookOf[i]],
            chunk.carrierOf[i] < 0 ? PinTable.NOT_TOLD : carriers[chunk.carrierOf[i]]);
      }
    }
  }

  /**
   * Adds a chunk's content besides its pins.
   *
   * @param copy notes the events, and may have some already; null if that does not matter
   */
  private void mergeEvents(ChunkData chunk, SeenChunks.Copy copy) {
    if (chunk.events != null) {
      chunk.events.addTo(events, copy == null ? null : copy::add);
    }
  }

  private static boolean addTo(SeenChunks.Copy copy, ChunkData chunk, int i) {
    return copy.add(
        chunk.looks.get(chunk.lookOf[i]).words().kind(), chunk.starts[i], chunk.durations[i]);
  }
}
