package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.Bytes;
import io.github.vtdiag.jfr.Chunk;
import io.github.vtdiag.jfr.Constants;
import io.github.vtdiag.jfr.LongIntMap;
import io.github.vtdiag.jfr.Metadata.JfrType;
import java.util.List;

/** Cursors over the events of a chunk, one for each type of event. */
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

  /** Returns the current event of a type. */
  ChunkEvent get(int number) {
    return events[number];
  }

  /** Moves to the event at a place, reads all of it, and returns the number of its type. */
  int moveTo(int place) {
    int number = moveToStack(place);
    events[number].readRest();
    return number;
  }

  /** Does the same, but reads only as much as is needed to know its stack and thread. */
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
