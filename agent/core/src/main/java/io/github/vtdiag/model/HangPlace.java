package io.github.vtdiag.model;

import java.util.Comparator;

/**
 * Where a thread of a hang stands: what tells one hang from another, without lines, objects and
 * threads.
 *
 * @param method in which it waits, the JDK's left out; of one that computes, in which it began
 * @param caller the method of another class that led there; empty if there is none
 * @param lock the class of what it waits for, or the field in which that is; empty if not known
 * @param holder the method that holds what it waits for, or of a thread that keeps its carrier, the
 *     one that holds the carrier; empty if not known
 */
public record HangPlace(String method, String caller, String lock, String holder)
    implements Comparable<HangPlace> {
  private static final Comparator<HangPlace> IN_ORDER =
      Comparator.comparing(HangPlace::method)
          .thenComparing(HangPlace::caller)
          .thenComparing(HangPlace::lock)
          .thenComparing(HangPlace::holder);

  @Override
  public int compareTo(HangPlace other) {
    return IN_ORDER.compare(this, other);
  }
}
