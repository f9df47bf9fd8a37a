package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.Problems;
import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.pin.Events;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Assembles the lock maps that the agent wrote, long ones in parts. */
final class LockMapFacts {
  private final Map<ClassRef, Parts> classes = new HashMap<>();

  private static final class Parts {
    int all;
    String location = "";
    JarContent jar = JarContent.UNKNOWN;
    String changedBy = "";
    final Map<Integer, String> texts = new HashMap<>();
  }

  void add(Events.LockMapPart part) {
    Parts parts = classes.computeIfAbsent(part.type(), type -> new Parts());
    if (parts.all != part.parts()) {
      parts.all = part.parts();
      parts.texts.clear();
    }
    parts.location = part.location();
    parts.jar = part.jar();
    parts.changedBy = part.changedBy();
    parts.texts.put(part.part(), part.map());
  }

  /** Returns the complete lock maps; the problems receive what is wrong with the others. */
  List<ClassMonitors> complete(Problems problems) {
    List<ClassMonitors> complete = new ArrayList<>();
    classes.forEach(
        (type, parts) -> {
          StringBuilder map = new StringBuilder();
          int part = 0;
          while (part < parts.all && parts.texts.containsKey(part)) {
            map.append(parts.texts.get(part++));
          }
          if (part == 0 || part < parts.all) {
            problems.add("the lock map of " + type.name() + " is incomplete and was left out");
            return;
          }
          try {
            complete.add(
                new ClassMonitors(
                    type,
                    parts.location,
                    parts.jar,
                    ClassMonitors.Evidence.LOADED_CLASS,
                    LockMaps.parse(map.toString()),
                    parts.changedBy));
          } catch (IllegalArgumentException e) {
            problems.add("the lock map of " + type.name() + " is damaged and was left out");
          }
        });
    complete.sort(
        Comparator.comparing((ClassMonitors map) -> map.type().name())
            .thenComparing(map -> map.type().loader()));
    return complete;
  }
}
