package io.github.vtdiag.program;

import java.util.Arrays;

/** A growing list of numbers. */
final class IntList {
  int[] items = new int[16];
  int size;

  void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    items[size++] = item;
  }

  int get(int index) {
    return items[index];
  }

  int[] toArray() {
    return Arrays.copyOf(items, size);
  }
}
