package io.github.vtdiag.program;

/** A map from 64-bit keys to numbers, without an object for each. */
final class KeyTable {
  private long[] keys = new long[1 << 8];

  /** The number plus one; 0 if the place is free. */
  private int[] values = new int[1 << 8];

  private int size;

  /** Returns the number of a key; -1 if it has none. */
  int get(long key) {
    int at = place(key, keys, values);
    return values[at] - 1;
  }

  void put(long key, int number) {
    int at = place(key, keys, values);
    if (values[at] == 0) {
      size++;
    }
    keys[at] = key;
    values[at] = number + 1;
    if (2 * size > keys.length) {
      grow();
    }
  }

  private void grow() {
    long[] moreKeys = new long[2 * keys.length];
    int[] moreValues = new int[2 * keys.length];
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != 0) {
        int at = place(keys[i], moreKeys, moreValues);
        moreKeys[at] = keys[i];
        moreValues[at] = values[i];
      }
    }
    keys = moreKeys;
    values = moreValues;
  }

  private static int place(long key, long[] keys, int[] values) {
    int mask = keys.length - 1;
    int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (values[at] != 0 && keys[at] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }
}
