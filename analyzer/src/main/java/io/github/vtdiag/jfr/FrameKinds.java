package io.github.vtdiag.jfr;

import io.github.vtdiag.jfr.Metadata.JfrType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers how frames were running ("Interpreted", "Native", ...) as they come. The numbers hold for
 * all chunks with the same types; what the ids behind them mean, each chunk tells anew.
 */
final class FrameKinds {
  /** HotSpot has four; a set that has more than that is {@link #MANY}. */
  private static final int MOST = 16;

  /** A set of kinds that is not known. */
  static final long MANY = -1;

  private static final String NATIVE = "Native";

  private final LongIntMap numbers = new LongIntMap();
  private final Map<String, Integer> texts = new HashMap<>();
  private long[] ids = new long[8];
  private JfrType type;
  private Constants constants;

  /** Of each kind, whether it is native in this chunk; null until that is asked. */
  private Boolean[] isNative = new Boolean[8];

  /** The same of the chunks before. */
  private Boolean[] wasNative = new Boolean[8];

  /** The kinds that are known to mean in this chunk what they meant, a bit each. */
  private long same;

  /** Begins anew with what chunks of other types say. */
  void clear() {
    numbers.clear();
    texts.clear();
    type = null;
    Arrays.fill(wasNative, null);
  }

  /** Turns to the chunk that the constants are of. */
  void reset(Constants chunk) {
    constants = chunk;
    Arrays.fill(isNative, null);
    same = 0;
  }

  /** The type of the constants that kinds are. */
  void type(JfrType kinds) {
    type = kinds;
  }

  int count() {
    return numbers.size() + texts.size();
  }

  /** The number of a kind that is a constant. */
  int number(long id) {
    int number = numbers.get(id);
    if (number == LongIntMap.ABSENT) {
      number = next();
      ids[number] = id;
      numbers.put(id, number);
    }
    return number;
  }

  /** The number of a kind that stands in the frame. */
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

  /** A set of kinds, a bit each, with another one. */
  static long with(long kinds, int kind) {
    return kind < MOST ? kinds | 1L << kind : MANY;
  }

  /**
   * Whether kinds mean in this chunk what they meant in the chunks before. If one does not, what
   * they meant is forgotten.
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

  /** What this chunk calls a kind; empty if it does not tell. */
  String text(int kind) {
    for (Map.Entry<String, Integer> text : texts.entrySet()) {
      if (text.getValue() == kind) {
        return text.getKey();
      }
    }
    return type == null ? "" : constants.text(type, ids[kind]);
  }
}
