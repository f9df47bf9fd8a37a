package io.github.vtdiag.jfr;

import io.github.vtdiag.jfr.Metadata.JfrType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers the ways in which frames were running ("Interpreted", "Native", ...) as they come. The
 * numbers hold for all chunks with the same types; the meaning of their ids is in each chunk anew.
 */
final class FrameKinds {
  /** The most kinds in a set; HotSpot has four. A set with more is {@link #MANY}. */
  private static final int MOST = 16;

  /** An unknown set of kinds. */
  static final long MANY = -1;

  private static final String NATIVE = "Native";

  private final LongIntMap numbers = new LongIntMap();
  private final Map<String, Integer> texts = new HashMap<>();
  private long[] ids = new long[8];
  private JfrType type;
  private Constants constants;

  /** By kind, whether it is native in this chunk; null until it is requested. */
  private Boolean[] isNative = new Boolean[8];

  /** The same in the previous chunks. */
  private Boolean[] wasNative = new Boolean[8];

  /** The kinds that are known to have the same meaning in this chunk as before, a bit each. */
  private long same;

  /** Starts again for chunks of other types. */
  void clear() {
    numbers.clear();
    texts.clear();
    type = null;
    Arrays.fill(wasNative, null);
  }

  /** Begins the chunk of these constants. */
  void reset(Constants chunk) {
    constants = chunk;
    Arrays.fill(isNative, null);
    same = 0;
  }

  /** Sets the type of the constants for kinds. */
  void type(JfrType kinds) {
    type = kinds;
  }

  int count() {
    return numbers.size() + texts.size();
  }

  /** Returns the number of a kind that is a constant. */
  int number(long id) {
    int number = numbers.get(id);
    if (number == LongIntMap.ABSENT) {
      number = next();
      ids[number] = id;
      numbers.put(id, number);
    }
    return number;
  }

  /** Returns the number of a kind that is written in the frame itself. */
  int number(String text) {
    Integer known = texts.get(text);
    if (known == null) {
      known = next();
      texts.put(text, known);
    }
    return known;
  }

  private int next() {
    int next = count();
    if (next == ids.length) {
      ids = Arrays.copyOf(ids, next * 2);
      isNative = Arrays.copyOf(isNative, next * 2);
      wasNative = Arrays.copyOf(wasNative, next * 2);
    }
    return next;
  }

  boolean isNative(int kind) {
    Boolean known = isNative[kind];
    if (known == null) {
      known = text(kind).equals(NATIVE);
      isNative[kind] = known;
    }
    return known;
  }

  /** Returns a set of kinds, a bit each, with another one added. */
  static long with(long kinds, int kind) {
    return kind < MOST ? kinds | 1L << kind : MANY;
  }

  /**
   * Returns whether kinds have the same meaning in this chunk as in the previous ones. If one does
   * not, all meanings are discarded.
   *
   * @param kinds a bit each
   */
  boolean areSame(long kinds) {
    for (long left = kinds & ~same; left != 0; left &= left - 1) {
      int kind = Long.numberOfTrailingZeros(left);
      boolean now = isNative(kind);
      if (wasNative[kind] != null && wasNative[kind] != now) {
        Arrays.fill(wasNative, null);
        same = 0;
        return false;
      }
      wasNative[kind] = now;
      same |= 1L << kind;
    }
    return true;
  }

  /** Returns this chunk's name of a kind; empty if it has none. */
  String text(int kind) {
    for (Map.Entry<String, Integer> text : texts.entrySet()) {
      if (text.getValue() == kind) {
        return text.getKey();
      }
    }
    return type == null ? "" : constants.text(type, ids[kind]);
  }
}
