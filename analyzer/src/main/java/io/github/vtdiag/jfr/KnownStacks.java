package io.github.vtdiag.jfr;

import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Stacks by the bytes in which they are written. Every chunk writes its stacks again, in the same
 * bytes as long as the types and the ids do not change. Comparing bytes is much faster than reading
 * them.
 */
final class KnownStacks {
  /** The entry of an unknown stack. */
  static final int NONE = -1;

  /** The most bytes that are kept of all of them; more are read anew each time. */
  private static final int MOST_BYTES = 8 << 20;

  private final CRC32 checksum = new CRC32();
  private final LongIntMap entries = new LongIntMap();
  private byte[][] texts = new byte[256][];
  private int[] numbers = new int[256];
  private long[] kinds = new long[256];
  private int bytes;

  /** Returns the entry of the stack in these bytes, or {@link #NONE}. */
  int find(byte[] array, int from, int to) {
    int entry = entries.get(key(array, from, to));
    return entry != LongIntMap.ABSENT
            && Arrays.equals(texts[entry], 0, texts[entry].length, array, from, to)
        ? entry
        : NONE;
  }

  /** Returns the number of an entry's stack. */
  int number(int entry) {
    return numbers[entry];
  }

  /** Returns a bit for each kind that the frames of an entry's stack have. */
  long kinds(int entry) {
    return kinds[entry];
  }

  void add(byte[] array, int from, int to, int number, long kindBits) {
    long key = key(array, from, to);
    // If two stacks have one checksum, the second is read each time.
    if (bytes + to - from > MOST_BYTES || entries.get(key) != LongIntMap.ABSENT) {
      return;
    }
    int entry = entries.size();
    if (entry == texts.length) {
      texts = Arrays.copyOf(texts, entry * 2);
      numbers = Arrays.copyOf(numbers, entry * 2);
      kinds = Arrays.copyOf(kinds, entry * 2);
    }
    texts[entry] = Arrays.copyOfRange(array, from, to);
    numbers[entry] = number;
    kinds[entry] = kindBits;
    entries.put(key, entry);
    bytes += to - from;
  }

  void clear() {
    Arrays.fill(texts, 0, entries.size(), null);
    entries.clear();
    bytes = 0;
  }

  private long key(byte[] array, int from, int to) {
    checksum.reset();
    checksum.update(array, from, to - from);
    return checksum.getValue() | (long) (to - from) << 32;
  }
}
