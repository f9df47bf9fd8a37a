package io.github.vtdiag.findings;

import java.util.HashSet;
import java.util.Set;

/** The ids of different threads. */
final class ThreadIds {
  private final Set<Long> ids = new HashSet<>();

  /** Events of one thread come one after the other. */
  private long last = Long.MIN_VALUE;

  void add(long id) {
    if (id != last) {
      last = id;
      ids.add(id);
    }
  }

  int size() {
    return ids.size();
  }
}
