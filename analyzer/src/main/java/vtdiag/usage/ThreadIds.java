package vtdiag.usage;

import vtdiag.jfr.LongIntMap;

/** The ids of different threads, of which there can be a million. */
final class ThreadIds {
  private final LongIntMap ids = new LongIntMap();

  void add(long id) {
    ids.put(id, 0);
  }

  int size() {
    return ids.size();
  }
}
