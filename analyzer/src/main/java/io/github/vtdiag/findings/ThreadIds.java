package io.github.vtdiag.findings;

import java.util.HashSet;
import java.util.Set;

/** A set of thread ids, to count distinct threads. */
final class ThreadIds {
  private final Set<Long> ids = new HashSet<>();

  /** The id added last: consecutive events are often of the same thread. */
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
