package io.github.vtdiag.agent.threads;

import io.github.vtdiag.agent.jvm.JdkInternals;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The loaded classes, by name. */
public final class LoadedTypes {
  private final Instrumentation instrumentation;
  private final Map<String, List<WeakReference<Class<?>>>> known = new HashMap<>();

  public LoadedTypes(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Looks up all names that are unknown, at once: listing the classes of a JVM takes a while. */
  public void find(Set<String> names) {
    Set<String> missing = new HashSet<>(names);
    missing.removeIf(known::containsKey);
    if (missing.isEmpty()) {
      return;
    }
    for (Class<?> type : JdkInternals.loadedClasses(instrumentation)) {
      if (missing.contains(type.getName())) {
        known
            .computeIfAbsent(type.getName(), name -> new ArrayList<>())
            .add(new WeakReference<>(type));
      }
    }
  }

  public List<Class<?>> named(String name) {
    List<Class<?>> types = new ArrayList<>();
    for (WeakReference<Class<?>> reference : known.getOrDefault(name, List.of())) {
      Class<?> type = reference.get();
      if (type != null) {
        types.add(type);
      }
    }
    return types;
  }
}
