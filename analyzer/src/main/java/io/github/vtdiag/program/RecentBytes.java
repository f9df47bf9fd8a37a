package io.github.vtdiag.program;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The bytes of the classes that were examined last, because a class is seldom examined only once.
 * All classes of a large program together would take more memory than the facts kept about them.
 */
final class RecentBytes {
  private static final int CLASSES = 200;

  private final Map<ClassSource, byte[]> recent =
      new LinkedHashMap<>(CLASSES * 2, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ClassSource, byte[]> eldest) {
          return size() > CLASSES;
        }
      };

  /** The classes that turned out to be unreadable when they were examined. */
  final Set<UnreadClass> unreadable = Collections.synchronizedSet(new LinkedHashSet<>());

  byte[] of(ClassSource source) throws IOException {
    byte[] bytes = get(source);
    if (bytes == null) {
      bytes = source.read(); // by several threads at a time
      put(source, bytes);
    }
    return bytes;
  }

  private synchronized byte[] get(ClassSource source) {
    return recent.get(source);
  }

  private synchronized void put(ClassSource source, byte[] bytes) {
    recent.put(source, bytes);
  }
}
