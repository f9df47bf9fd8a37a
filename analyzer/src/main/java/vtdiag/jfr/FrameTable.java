package vtdiag.jfr;

import java.util.Arrays;
import vtdiag.model.Frame;

/**
 * The frames of one chunk by the numbers that stand for them in its stacks. A chunk has few
 * different frames, in very many stacks.
 */
final class FrameTable {
  private long[] methods = new long[64];
  private long[] places = new long[64];
  private Frame.Kind[] kinds = new Frame.Kind[64];
  private Frame[] frames = new Frame[64];
  private int size;

  void clear() {
    Arrays.fill(frames, null);
    size = 0;
  }

  /** The frame, or null. */
  Frame get(long method, Frame.Kind kind, int line, int bci) {
    return frames[slot(method, kind, place(line, bci))];
  }

  /** Adds a frame that is not there. */
  void put(long method, Frame.Kind kind, int line, int bci, Frame frame) {
    if (++size * 2 > frames.length) {
      grow();
    }
    insert(method, kind, place(line, bci), frame);
  }

  private static long place(int line, int bci) {
    return ((long) line << 32) | (bci & 0xFFFF_FFFFL);
  }

  private int slot(long method, Frame.Kind kind, long place) {
    long hash = (method * 31 + place) * 0x9E3779B97F4A7C15L;
    int mask = frames.length - 1;
    int slot = (int) (hash ^ (hash >>> 32)) & mask;
    while (frames[slot] != null
        && (methods[slot] != method || places[slot] != place || kinds[slot] != kind)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void insert(long method, Frame.Kind kind, long place, Frame frame) {
    int slot = slot(method, kind, place);
    methods[slot] = method;
    places[slot] = place;
    kinds[slot] = kind;
    frames[slot] = frame;
  }

  private void grow() {
    long[] oldMethods = methods;
    long[] oldPlaces = places;
    Frame.Kind[] oldKinds = kinds;
    Frame[] oldFrames = frames;
    int length = oldFrames.length * 2;
    methods = new long[length];
    places = new long[length];
    kinds = new Frame.Kind[length];
    frames = new Frame[length];
    for (int i = 0; i < oldFrames.length; i++) {
      if (oldFrames[i] != null) {
        insert(oldMethods[i], oldKinds[i], oldPlaces[i], oldFrames[i]);
      }
    }
  }
}
