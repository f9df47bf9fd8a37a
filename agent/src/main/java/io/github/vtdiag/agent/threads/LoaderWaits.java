package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.Frame;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The waits for the monitor of a class loader that the JVM itself takes, because the loader is not
 * parallel capable. From JDK 25 on a snapshot names each monitor that Java code takes. For a
 * monitor that the JVM takes, it only says that the thread is blocked.
 */
final class LoaderWaits {
  private final InitializerWaits code;
  private final LoadedTypes types;

  LoaderWaits(InitializerWaits code, LoadedTypes types) {
    this.code = code;
    this.types = types;
  }

  static boolean mayWait(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.MonitorEntry entry
        && !entry.lock().isExact()
        && entry.lock().className().isEmpty();
  }

  /** Returns the same threads, with the loaders that they wait for. */
  List<SeenThread> resolve(List<SeenThread> threads) {
    if (threads.stream().noneMatch(LoaderWaits::mayWait)) {
      return threads;
    }
    List<SeenThread> waiters = threads.stream().filter(LoaderWaits::mayWait).toList();
    Set<String> names = new HashSet<>();
    code.readTop(waiters);
    for (SeenThread waiter : waiters) {
      top(waiter).ifPresent(frame -> names.add(frame.type().name()));
      top(waiter).ifPresent(frame -> names.addAll(code.needed(frame)));
    }
    types.find(names);
    return threads.stream()
        .map(
            thread ->
                mayWait(thread)
                    ? thread.with(new ThreadWait.MonitorEntry(lock(thread)), thread.held())
                    : thread)
        .toList();
  }

  private static Optional<Frame> top(SeenThread thread) {
    return thread.frames().stream().findFirst();
  }

  /**
   * Returns the loader of the class whose code needs another class; with reflection it is unknown.
   */
  private LockRef lock(SeenThread thread) {
    Optional<Frame> top = top(thread).filter(frame -> !frame.isNative());
    Set<ClassLoader> locked = new HashSet<>();
    for (Class<?> type : top.map(frame -> types.named(frame.type().name())).orElse(List.of())) {
      ClassLoader loader = type.getClassLoader();
      if (loader != null && !loader.isRegisteredAsParallelCapable()) {
        locked.add(loader);
      }
    }
    if (locked.size() != 1) {
      return LockRef.ofClassLoader(Optional.empty(), "");
    }
    ClassLoader loader = locked.iterator().next();
    List<String> missing = new ArrayList<>(top.map(code::needed).orElse(Set.of()));
    missing.removeIf(name -> isLoadedBy(name, loader));
    return LockRef.ofClassLoader(
        Optional.of(ThreadReader.ref(loader)),
        missing.stream().sorted().collect(Collectors.joining(" or ")));
  }

  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  private boolean isLoadedBy(String name, ClassLoader loader) {
    return types.named(name).stream()
        .anyMatch(type -> type.getClassLoader() == loader || type.getClassLoader() == null);
  }
}
