package io.github.vtdiag.analysis;

import java.util.Arrays;

/** Finds the value at a place in sorted order without sorting the whole array (Hoare's find). */
final class Selection {
  private Selection() {}

  /** Returns the value with {@code rank} values before it in sorted order. Reorders the array. */
  static long ofRank(long[] values, int rank) {
    int low = 0;
    int high = values.length - 1;
    // Unlucky pivots must not lead to quadratic time.
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
