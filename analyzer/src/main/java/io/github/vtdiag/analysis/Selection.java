package io.github.vtdiag.analysis;

import java.util.Arrays;

/**
 * Finds what would stand at a place in a sorted array, without sorting all of it (Hoare's find).
 */
final class Selection {
  private Selection() {}

  /** The value with so many at most as large before it; the array's order changes. */
  static long ofRank(long[] values, int rank) {
    int low = 0;
    int high = values.length - 1;
    // Bad luck in the choice of pivots must not take quadratic time.
    for (int tries = 0; low < high; tries++) {
      if (tries == 64) {
        Arrays.sort(values, low, high + 1);
        break;
      }
      long pivot = median(values[low], values[(low + high) >>> 1], values[high]);
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          long swapped = values[i];
          values[i++] = values[j];
          values[j--] = swapped;
        }
      }
      if (rank <= j) {
        high = j;
      } else if (rank >= i) {
        low = i;
      } else {
        break;
      }
    }
    return values[rank];
  }

  private static long median(long a, long b, long c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
