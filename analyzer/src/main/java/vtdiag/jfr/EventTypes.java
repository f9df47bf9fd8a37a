package vtdiag.jfr;

import java.util.ArrayList;
import java.util.List;
import vtdiag.jfr.Metadata.JfrType;
import vtdiag.pin.Events;

/** Which of a chunk's event types are wanted, as a table for the loop that meets all of them. */
public final class EventTypes {
  static final byte OTHER = 0;
  static final byte METADATA = 1;
  static final byte CHECKPOINT = 2;
  static final byte FACT = 3;
  static final byte PIN = 4;

  /** Enough to find the metadata. */
  static final EventTypes NONE = new EventTypes();

  private static final long METADATA_ID = 0;
  private static final long CHECKPOINT_ID = 1;
  // The JVM's own types have small ids, those written in Java can have any.
  private static final int TABLE_SIZE = 1 << 14;

  private final byte[] table = new byte[TABLE_SIZE];
  private final LongIntMap others = new LongIntMap();
  private final List<JfrType> wanted = new ArrayList<>();

  private EventTypes() {
    put(METADATA_ID, METADATA);
    put(CHECKPOINT_ID, CHECKPOINT);
  }

  public EventTypes(Metadata metadata) {
    this();
    for (JfrType type : metadata.types()) {
      byte kind = type.event ? kindOf(type.name) : OTHER;
      if (kind != OTHER && kind(type.id) == OTHER) {
        put(type.id, kind);
        wanted.add(type);
      }
    }
  }

  private static byte kindOf(String name) {
    return switch (name) {
      case Events.PINNED, Events.MONITOR_ENTER, Events.MONITOR_WAIT -> PIN;
      case Events.JVM,
          Events.CPU,
          Events.CONTAINER,
          Events.SETTING,
          Events.DATA_LOSS,
          Events.HEAP_AT_GC,
          Events.HEAP_USAGE,
          Events.AGENT,
          Events.WAITING,
          Events.LOCK_MAP,
          Events.MONITOR_SAMPLE ->
          FACT;
      default -> OTHER;
    };
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
