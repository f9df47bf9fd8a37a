package io.github.vtdiag.recording;

import io.github.vtdiag.pin.ThreadEvent;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Numbers what events say in words, with the sort of event. */
final class EventLabels {
  private final Map<ThreadEvent, Map<String, Integer>> numbers = new EnumMap<>(ThreadEvent.class);
  private int size;

  void clear() {
    numbers.clear();
    size = 0;
  }

  /** The number of a label, which is a new one if there is none yet. */
  int number(ThreadEvent event, String text) {
    Map<String, Integer> texts = numbers.computeIfAbsent(event, e -> new HashMap<>());
    Integer known = texts.putIfAbsent(text, size);
    return known == null ? size++ : known;
  }
}
