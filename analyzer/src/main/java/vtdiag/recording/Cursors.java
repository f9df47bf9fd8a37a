package vtdiag.recording;

import java.util.List;
import vtdiag.jfr.Bytes;
import vtdiag.jfr.Chunk;
import vtdiag.jfr.Constants;
import vtdiag.jfr.Metadata.JfrType;

/** The events of a chunk by their place in it; one of each type at a time. */
final class Cursors {
  private final Chunk chunk;
  private final Bytes in;
  private final ChunkEvent[] events;

  Cursors(Chunk chunk, Constants constants, List<JfrType> types) {
    this.chunk = chunk;
    in = new Bytes();
    events =
        types.stream()
            .map(type -> new ChunkEvent(constants.values(type), chunk.header()))
            .toArray(ChunkEvent[]::new);
  }

  int count() {
    return events.length;
  }

  /** The event that was moved to last among those of its type. */
  ChunkEvent get(int number) {
    return events[number];
  }

  /** Moves to the event at a place, and returns the number of its type. */
  int moveTo(int place) {
    in.reset(chunk.bytes(), place, chunk.end());
    int end = place + (int) in.varint();
    long type = in.varint();
    for (int i = 0; i < events.length; i++) {
      if (events[i].values.type().id == type) {
        events[i].values.moveTo(chunk.bytes(), in.position, end);
        return i;
      }
    }
    throw new IllegalStateException("the walk noted an event of no wanted type");
  }
}
