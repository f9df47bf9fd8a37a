package io.github.vtdiag.jfr;

import java.util.ArrayList;
import java.util.List;

/**
 * A chunk in memory. Its bytes stay valid until it is released, so that several can be read at a
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

  /** Returns the bytes in which {@link #start} and {@link #end} are places. */
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

  /** Returns what is wrong with it, one sentence each; complete only after the {@link #walk}. */
  public List<String> problems() {
    return problems;
  }

  /** Returns the places of its events. */
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

  /** Returns whether nothing of it is missing. */
  public boolean whole() {
    return header.finished() && !cut && walk().end == end;
  }

  /**
   * Returns where another chunk begins in what should be this one's bytes. Returns {@link #end} if
   * there is none, or if the source continues there.
   */
  public int other() {
    return !followed || walk().end == end
        ? end
        : ChunkSource.indexOfMagic(buffer.bytes, ChunkSource.searchFrom(start, walk().end), end);
  }

  /** Releases the bytes. */
  @Override
  public void close() {
    source.release(buffer);
  }
}
