package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.Bytes;
import io.github.vtdiag.jfr.Chunk;
import io.github.vtdiag.jfr.ChunkSource;
import io.github.vtdiag.jfr.ChunkWalker;
import io.github.vtdiag.jfr.Malformed;
import io.github.vtdiag.jfr.Walk;
import io.github.vtdiag.jfr.WantedEvents;
import io.github.vtdiag.model.DataException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;

/** Finds the time at which any kind of event first occurred in a recording. */
final class FirstEvent {
  private FirstEvent() {}

  /**
   * Finds the first event of this name.
   *
   * @return nanoseconds since the epoch; empty if no such event can be read
   */
  static OptionalLong find(Input input, String name) throws DataException {
    OptionalLong first = OptionalLong.empty();
    for (Path file : input.files()) {
      try (InputStream content = new BufferedInputStream(Files.newInputStream(file))) {
        content.mark(2);
        boolean packed = content.read() == 0x1f && content.read() == 0x8b;
        content.reset();
        OptionalLong here = find(packed ? new GZIPInputStream(content) : content, name);
        if (here.isPresent() && (first.isEmpty() || here.getAsLong() < first.getAsLong())) {
          first = here;
        }
      } catch (IOException e) {
        throw new DataException(file + ": cannot be read: " + ChunkWalker.reason(e), e);
      }
    }
    return first;
  }

  private static OptionalLong find(InputStream content, String name) {
    ChunkWalker walker = new ChunkWalker(ChunkSource.MAX_SIZE, WantedEvents.named(name));
    walker.open(content);
    OptionalLong first = OptionalLong.empty();
    for (Chunk next = walker.next(); next != null; next = walker.next()) {
      try (Chunk chunk = next) {
        OptionalLong here = chunk.readable() ? find(chunk) : OptionalLong.empty();
        if (here.isPresent() && (first.isEmpty() || here.getAsLong() < first.getAsLong())) {
          first = here;
        }
      }
    }
    return first;
  }

  private static OptionalLong find(Chunk chunk) {
    Bytes in = new Bytes();
    Walk.Places places = chunk.walk().wanted(0);
    OptionalLong first = OptionalLong.empty();
    for (int i = 0; i < places.size(); i++) {
      in.reset(chunk.bytes(), places.get(i), chunk.end());
      try {
        in.varint(); // how long it is
        in.varint(); // its type
        long nanos = chunk.header().nanos(in.varint());
        first = first.isEmpty() || nanos < first.getAsLong() ? OptionalLong.of(nanos) : first;
      } catch (Malformed e) {
        // An event without a time.
      }
    }
    return first;
  }
}
