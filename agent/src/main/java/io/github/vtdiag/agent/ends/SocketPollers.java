package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ThreadInternals;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state of the JDK's pollers: the file descriptor that each virtual thread waits for. The
 * fields that hold it differ from one JDK to the next. So they are searched for in all objects to
 * which the class {@code Poller} refers.
 */
final class SocketPollers {
  private static final String POLLER = "sun.nio.ch.Poller";

  /** The longest path from the class to a poller, over a group of pollers and its arrays. */
  private static final int DEPTH = 4;

  private final List<Map<?, ?>> maps = new ArrayList<>();
  private final Set<Object> seen = new HashSet<>();
  private final Class<?> poller;
  private final Field map;

  /**
   * To be created only when a virtual thread waits for a socket: until then the application may set
   * the properties that this class reads when it is initialized.
   */
  SocketPollers(Instrumentation instrumentation) throws ReflectiveOperationException {
    ThreadInternals.open(instrumentation, "sun.nio.ch");
    this.poller = Class.forName(POLLER);
    this.map = poller.getDeclaredField("map");
    map.setAccessible(true);
    for (Field field : poller.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        collect(field.get(null), DEPTH);
      }
    }
    seen.clear();
  }

  private void collect(Object object, int depth) throws ReflectiveOperationException {
    if (object == null || depth == 0) {
      return;
    }
    if (object instanceof Object[] array) {
      for (Object each : array) {
        collect(each, depth - 1);
      }
    } else if (object.getClass().getName().startsWith("sun.nio.ch.") && seen.add(object)) {
      if (poller.isInstance(object) && map.get(object) instanceof Map<?, ?> threads) {
        maps.add(threads);
      }
      for (Class<?> type = object.getClass();
          type.getName().startsWith(POLLER);
          type = type.getSuperclass()) {
        for (Field field : type.getDeclaredFields()) {
          if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
            field.setAccessible(true);
            collect(field.get(object), depth - 1);
          }
        }
      }
    }
  }

  /** Returns the file descriptor that each virtual thread waits for. */
  Map<Thread, Integer> descriptors() {
    Map<Thread, Integer> descriptors = new HashMap<>();
    for (Map<?, ?> each : maps) {
      each.forEach(
          (descriptor, thread) -> {
            if (descriptor instanceof Integer number && thread instanceof Thread waiting) {
              descriptors.put(waiting, number);
            }
          });
    }
    return descriptors;
  }
}
