package io.github.vtdiag.model;

import java.util.Comparator;

/**
 * The place of a thread in a hang. It distinguishes hangs, and has no lines, objects and threads.
 *
 * @param method the innermost method outside the JDK in which it waits; for a running thread, the
 *     method in which it began
 * @param caller the method of another class that led there; empty if there is none
 * @param lock the class of what it waits for, or the field that refers to it; empty if it is
 *     unknown
 * @param holder the method that holds what it waits for, or that pins the thread; empty if it is
 *     unknown
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
