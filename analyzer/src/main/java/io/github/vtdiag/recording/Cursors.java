package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.Bytes;
import io.github.vtdiag.jfr.Chunk;
import io.github.vtdiag.jfr.Constants;
import io.github.vtdiag.jfr.LongIntMap;
import io.github.vtdiag.jfr.Metadata.JfrType;
import java.util.List;

/** The events of a chunk by their place in it; one of each type at a time. */
final class Cursors {
  private final Chunk chunk;
  private final Bytes in;
  private final ChunkEvent[] events;
  private final LongIntMap numbers = new LongIntMap();

  Cursors(Chunk chunk, Constants constants, List<JfrType> types) {
    this.chunk = chunk;
    in = new Bytes();
    events =
        types.stream()
            .map(type -> new ChunkEvent(constants.values(type), chunk.header()))
            .toArray(ChunkEvent[]::new);
    for (int i = 0; i < events.length; i++) {
      numbers.put(types.get(i).id, i);
    }
  }

  int count() {
    return events.length;
  }

  /** The event that was moved to last among those of its type. */
  ChunkEvent get(int number) {
    return events[number];
  }

  /** Moves to the event at a place, reads all of it, and returns the number of its type. */
  int moveTo(int place) {
    int number = moveToStack(place);
    events[number].readRest();
    return number;
  }

  /** The same, but reads no more of it than is needed to know its stack and thread. */
  int moveToStack(int place) {
    in.reset(chunk.bytes(), place, chunk.end());
    int end = place + (int) in.varint();
    long type = in.varint();
    int number = numbers.get(type);
    if (number == LongIntMap.ABSENT) {
      throw new IllegalStateException("the walk noted an event of no wanted type");
    }
    events[number].moveTo(chunk.bytes(), in.position, end);
    return number;
  }
}
