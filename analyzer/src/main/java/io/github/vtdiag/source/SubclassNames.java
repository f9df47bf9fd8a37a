package io.github.vtdiag.source;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The subclasses that the text of sources shows, by simple names: at worst more than there are. */
final class SubclassNames {
  private static final Pattern HEADER = Pattern.compile("\\bclass\\s+(\\w+)([^{};]*)\\{");
  private static final Pattern ABOVE = Pattern.compile("\\bextends\\s+(?:\\w+\\s*\\.\\s*)*(\\w+)");

  private final Map<String, Set<String>> below = new HashMap<>();

  void read(String text) {
    Matcher header = HEADER.matcher(text);
    while (header.find()) {
      // The bound of a type parameter is taken for a superclass, too.
      Matcher above = ABOVE.matcher(header.group(2));
      while (above.find()) {
        below.computeIfAbsent(above.group(1), name -> new LinkedHashSet<>()).add(header.group(1));
      }
    }
  }

  /** Returns a class and all that extend it. */
  Set<String> from(String type) {
    Set<String> all = new LinkedHashSet<>(Set.of(type));
    Deque<String> open = new ArrayDeque<>(all);
    while (!open.isEmpty()) {
      for (String each : below.getOrDefault(open.pop(), Set.of())) {
        if (all.add(each)) {
          open.push(each);
        }
      }
    }
    return all;
  }
}
