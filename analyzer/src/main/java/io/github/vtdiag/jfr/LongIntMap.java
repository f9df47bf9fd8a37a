package io.github.vtdiag.jfr;

import java.util.Arrays;

/** A map from ids to positions or numbers, which are never negative. */
public final class LongIntMap {
  public static final int ABSENT = -1;

  private static final int FREE = 0;

  private long[] keys = new long[16];
  // Values are kept plus one, so that a cleared table is an empty one.
  private int[] values = new int[16];
  private int size;

  public int get(long key) {
    return values[slot(key)] - 1;
  }

  public void put(long key, int value) {
    int slot = slot(key);
    if (values[slot] == FREE) {
      keys[slot] = key;
      values[slot] = value + 1;
      if (++size * 2 > keys.length) {
        grow();
      }
    } else {
      values[slot] = value + 1;
    }
  }

  public int size() {
    return size;
  }

  public void clear() {
    if (size > 0) {
      Arrays.fill(values, FREE);
      size = 0;
    }
  }

  private int slot(long key) {
    long hash = key * 0x9E3779B97F4A7C15L;
    hash ^= hash >>> 32;
    int mask = keys.length - 1;
    int slot = (int) hash & mask;
    while (values[slot] != FREE && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[oldKeys.length * 2];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != FREE) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
