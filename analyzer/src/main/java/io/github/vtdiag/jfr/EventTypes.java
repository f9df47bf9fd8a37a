package io.github.vtdiag.jfr;

import io.github.vtdiag.jfr.Metadata.JfrType;
import java.util.ArrayList;
import java.util.List;

/** The wanted event types of a chunk, as a table for the loop over all events. */
public final class EventTypes {
  static final byte OTHER = 0;
  static final byte METADATA = 1;
  static final byte CHECKPOINT = 2;

  /**
   * The kind of the events of the first group; those of the next ones follow, then those of the
   * groups that are thinned.
   */
  static final byte WANTED = 3;

  private static final long METADATA_ID = 0;
  private static final long CHECKPOINT_ID = 1;
  // The JVM's own types have small ids, those written in Java can have any.
  private static final int TABLE_SIZE = 1 << 14;

  final int groups;

  final int thinned;

  /** The kinds of the types with small ids, from 0 on; others are looked up. */
  final byte[] table = new byte[TABLE_SIZE];

  private final LongIntMap others = new LongIntMap();
  private final List<JfrType> wanted = new ArrayList<>();

  private EventTypes(int groups, int thinned) {
    this.groups = groups;
    this.thinned = thinned;
    put(METADATA_ID, METADATA);
    put(CHECKPOINT_ID, CHECKPOINT);
  }

  public EventTypes(Metadata metadata, WantedEvents events) {
    this(events.groups().size(), events.thinned().size());
    for (JfrType type : metadata.types()) {
      byte kind = type.event ? kind(type.name, events) : OTHER;
      if (kind != OTHER && kind(type.id) == OTHER) {
        put(type.id, kind);
        wanted.add(type);
      }
    }
  }

  /** Returns the types that are enough to find the metadata. */
  static EventTypes none() {
    return new EventTypes(0, 0);
  }

  private static byte kind(String name, WantedEvents events) {
    byte kind = WANTED;
    for (List<List<String>> groups : List.of(events.groups(), events.thinned())) {
      for (List<String> group : groups) {
        if (group.contains(name)) {
          return kind;
        }
        kind++;
      }
    }
    return OTHER;
  }

  private void put(long id, byte kind) {
    if (id >= 0 && id < TABLE_SIZE) {
      table[(int) id] = kind;
    } else {
      others.put(id, kind);
    }
  }

  byte kind(long id) {
    if (id >= 0 && id < TABLE_SIZE) {
      return table[(int) id];
    }
    int kind = others.get(id);
    return kind == LongIntMap.ABSENT ? OTHER : (byte) kind;
  }

  public List<JfrType> wanted() {
    return wanted;
  }
}
