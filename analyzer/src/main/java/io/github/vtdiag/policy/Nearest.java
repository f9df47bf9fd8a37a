package io.github.vtdiag.policy;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that a user who mistyped one most likely meant. */
final class Nearest {
  private Nearest() {}

  /** Returns the nearest of the names, unless all of them are too different. */
  static Optional<String> to(String typed, Collection<String> names) {
    return names.stream()
        .min(Comparator.comparingInt((String name) -> distance(typed, name)))
        .filter(name -> distance(typed, name) <= Math.max(2, name.length() / 3));
  }

  /** Returns the number of letters that have to be inserted, deleted or replaced (Levenshtein). */
  static int distance(String a, String b) {
    int[] before = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      before[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(before[j], row[j - 1]));
      }
      before = row;
    }
    return before[b.length()];
  }
}
