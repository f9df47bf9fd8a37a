package io.github.vtdiag.jfr;

import java.util.ArrayList;
import java.util.List;

/**
 * A chunk whose bytes are there. They hold until it is released, so that several can be read at a
 * time.
 */
public final class Chunk implements AutoCloseable {
  private final ChunkHeader header;
  private final ChunkSource source;
  private final ChunkSource.Buffer buffer;
  private final int start;
  private final int end;
  private final boolean cut;
  private final boolean followed;
  private final Metadata metadata;
  private final EventTypes types;
  private final List<String> problems = new ArrayList<>();
  private Walk walk;

  /**
   * @param metadata null if the chunk cannot be read
   * @param types null if the chunk cannot be read
   * @param followed whether the next chunk is where this one's end should be
   */
  Chunk(ChunkSource source, int end, Metadata metadata, EventTypes types, boolean followed) {
    this.source = source;
    this.end = end;
    this.metadata = metadata;
    this.types = types;
    this.followed = followed;
    header = source.header();
    start = source.start();
    cut = source.cut();
    buffer = source.share();
  }

  public ChunkHeader header() {
    return header;
  }

  /** What {@link #start} and {@link #end} are places in. */
  public byte[] bytes() {
    return buffer.bytes;
  }

  public int start() {
    return start;
  }

  public int end() {
    return end;
  }

  public boolean readable() {
    return types != null;
  }

  public Metadata metadata() {
    return metadata;
  }

  public EventTypes types() {
    return types;
  }

  /** What is wrong with it, one sentence each; all of it only after the {@link #walk}. */
  public List<String> problems() {
    return problems;
  }

  /** Where its events are. */
  public Walk walk() {
    if (walk == null) {
      walk = new Walk(buffer.bytes, start + ChunkHeader.SIZE, end, types);
      if (walk.end < end && !cut) { // else it has been said
        problems.add(
            "a chunk is damaged %d bytes after its start; the rest of it was left out"
                .formatted(walk.end - start));
      }
    }
    return walk;
  }

  /** Whether nothing of it is missing. */
  public boolean whole() {
    return header.finished() && !cut && walk().end == end;
  }

  /**
   * Where another chunk begins in what should be this one's bytes, or {@link #end}; unless the
   * source goes on there.
   */
  public int other() {
    return !followed || walk().end == end
        ? end
        : ChunkSource.indexOfMagic(buffer.bytes, ChunkSource.searchFrom(start, walk().end), end);
  }

  /** Lets go of the bytes. */
  @Override
  public void close() {
    source.release(buffer);
  }
}
