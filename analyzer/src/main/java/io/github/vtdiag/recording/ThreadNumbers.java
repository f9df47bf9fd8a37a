package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.LongIntMap;
import io.github.vtdiag.model.ThreadRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers threads. One thread has several numbers if it was renamed. */
final class ThreadNumbers {
  private final List<ThreadRef> all = new ArrayList<>();
  private final LongIntMap byId = new LongIntMap();
  private final Map<ThreadRef, Integer> renamed = new HashMap<>();

  /** Returns the threads by number. */
  List<ThreadRef> all() {
    return all;
  }

  /** Returns the number of a thread, a new one if there is none yet. */
  int number(ThreadRef thread) {
    int number = byId.get(thread.id());
    if (number == LongIntMap.ABSENT) {
      byId.put(thread.id(), all.size());
      all.add(thread);
      return all.size() - 1;
    }
    ThreadRef known = all.get(number);
    if (known.virtual() == thread.virtual() && known.name().equals(thread.name())) {
      return number;
    }
    return renamed.computeIfAbsent(
        thread,
        again -> {
          all.add(again);
          return all.size() - 1;
        });
  }
}
