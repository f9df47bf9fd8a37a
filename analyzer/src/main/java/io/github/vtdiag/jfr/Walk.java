package io.github.vtdiag.jfr;

import java.util.Arrays;

/**
 * One pass over a chunk's events by their sizes and types. It notes the places of the wanted events
 * and reads nothing else.
 */
public final class Walk {
  /** Positions in the order of the file. */
  public static final class Places {
    private int[] places = new int[64];
    private int size;

    public void add(int place) {
      if (size == places.length) {
        places = Arrays.copyOf(places, size * 2);
      }
      places[size++] = place;
    }

    public int size() {
      return size;
    }

    public int get(int index) {
      return places[index];
    }
  }

  public final Places metadata = new Places();
  public final Places checkpoints = new Places();
  private final Places[] wanted;
  private final Places[] thinned;

  /** The place where the events end, or where they become malformed. */
  public final int end;

  /**
   * Walks over the events.
   *
   * @param bytes with at least {@link ChunkSource#PADDING} bytes after {@code to}
   */
  public Walk(byte[] bytes, int from, int to, EventTypes types) {
    wanted = places(types.groups);
    thinned = places(types.thinned);
    Thinning[] thinnings = new Thinning[types.thinned];
    Arrays.setAll(thinnings, group -> new Thinning());
    byte[] kinds = types.table;
    int place = from;
    while (place < to) {
      int p = place;
      // Compressed integers, as Bytes.varint reads them, but without its checks. They can be
      // padded: a size takes one, four or eight bytes.
      long size = bytes[p++];
      if (size < 0) {
        size &= 0x7F;
        byte b = -1;
        for (int shift = 7; b < 0 && shift <= 56; shift += 7) {
          b = bytes[p++];
          size |= (shift == 56 ? b & 0xFFL : b & 0x7FL) << shift;
        }
      }
      long type = bytes[p++];
      if (type < 0) {
        type &= 0x7F;
        byte b = -1;
        for (int shift = 7; b < 0 && shift <= 56; shift += 7) {
          b = bytes[p++];
          type |= (shift == 56 ? b & 0xFFL : b & 0x7FL) << shift;
        }
      }
      if (size < p - place || size > to - place) {
        break;
      }
      byte kind = type >= 0 && type < kinds.length ? kinds[(int) type] : types.kind(type);
      if (kind == EventTypes.OTHER) {
        place += (int) size;
        continue;
      }
      switch (kind) {
        case EventTypes.METADATA -> metadata.add(place);
        case EventTypes.CHECKPOINT -> checkpoints.add(place);
        default -> {
          int group = kind - EventTypes.WANTED;
          if (group < wanted.length) {
            wanted[group].add(place);
          } else if (thinnings[group - wanted.length].isTaken()) {
            thinned[group - wanted.length].add(place);
          }
        }
      }
      place += (int) size;
    }
    end = place;
  }

  private static Places[] places(int groups) {
    Places[] places = new Places[groups];
    Arrays.setAll(places, group -> new Places());
    return places;
  }

  /**
   * Returns the places of the selected events of a group that is thinned, in the order of the file;
   * see {@link Thinning#standsFor}.
   */
  public Places thinned(int group) {
    return thinned[group];
  }

  /** Returns the places of the events of a group that {@link EventTypes} was given. */
  public Places wanted(int group) {
    return wanted[group];
  }
}
