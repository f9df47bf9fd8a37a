package io.github.vtdiag.scan;

import java.util.Arrays;

/** A priority queue of numbers, the smallest first. */
final class Heap {
  private long[] items = new long[1 << 10];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  void add(long item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    int at = size++;
    while (at > 0 && items[(at - 1) / 2] > item) {
      items[at] = items[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    items[at] = item;
  }

  long poll() {
    long first = items[0];
    long last = items[--size];
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && items[child + 1] < items[child]) {
        child++;
      }
      if (items[child] >= last) {
        break;
      }
      items[at] = items[child];
      at = child;
    }
    items[at] = last;
    return first;
  }
}
