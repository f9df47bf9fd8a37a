package io.github.vtdiag.recording;

import io.github.vtdiag.pin.ThreadEvent;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Numbers the texts of events, together with the kind of event. */
final class EventLabels {
  private final Map<ThreadEvent, Map<String, Integer>> numbers = new EnumMap<>(ThreadEvent.class);
  private int size;

  void clear() {
    numbers.clear();
    size = 0;
  }

  /** Returns the number of a label, a new one if there is none yet. */
  int number(ThreadEvent event, String text) {
    Map<String, Integer> texts = numbers.computeIfAbsent(event, e -> new HashMap<>());
    Integer known = texts.putIfAbsent(text, size);
    return known == null ? size++ : known;
  }
}
