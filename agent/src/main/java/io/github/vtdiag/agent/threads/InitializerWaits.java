package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.StackTrace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The waits for classes that other threads initialize. The JVM reports a thread in such a wait as
 * running. It is at an instruction that needs a class which is not initialized. Meanwhile another
 * thread is in the initializer of that class or of a superclass.
 */
final class InitializerWaits {
  private final ThreadInternals internals;
  private final LockMapReader maps;
  private final LoadedTypes types;

  InitializerWaits(ThreadInternals internals, LockMapReader maps, LoadedTypes types) {
    this.internals = internals;
    this.maps = maps;
    this.types = types;
  }

  /** The JDK's native methods that initialize a class; which class cannot be seen from outside. */
  private static final Set<String> REFLECTIVE =
      Set.of(
          "java.lang.Class.forName0",
          "jdk.internal.misc.Unsafe.ensureClassInitialized0",
          "jdk.internal.misc.Unsafe.allocateInstance",
          "jdk.internal.reflect.DirectConstructorHandleAccessor$NativeAccessor.newInstance0",
          "jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor.invoke0");

  /** Returns whether a thread may wait for a class: it is runnable and needs no carrier. */
  static boolean mayWait(SeenThread thread) {
    return thread.state().equals(Optional.of(Thread.State.RUNNABLE))
        && !thread.needsCarrier()
        && !thread.frames().isEmpty()
        && !thread.stays()
        && (thread.waitsFor() instanceof ThreadWait.Nothing || mayWaitForAny(thread));
  }

  /** Returns whether it may wait for a class that is unknown. */
  static boolean mayWaitForAny(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.NativeCode
        && REFLECTIVE.contains(thread.frames().getFirst().qualifiedMethod());
  }

  /**
   * Returns the same threads, with these waits, and with the classes that are initialized
   * meanwhile.
   *
   * @param all whether these are all threads that may be in an initializer
   */
  List<SeenThread> resolve(List<SeenThread> threads, boolean all)
      throws ReflectiveOperationException {
    Map<String, Long> initializers = new HashMap<>();
    for (SeenThread thread : threads) {
      for (HeldLock held : thread.held()) {
        if (held.kind() == HeldLock.Kind.CLASS_INITIALIZATION) {
          initializers.putIfAbsent(held.lock().className(), thread.id());
        }
      }
    }
    List<SeenThread> waiters =
        threads.stream()
            .filter(thread -> mayWait(thread) && (all || !mayWaitForAny(thread)))
            .toList();
    if (initializers.isEmpty() || waiters.isEmpty()) {
      return threads;
    }
    readTop(waiters);
    Map<Long, SeenThread> resolved = new HashMap<>();
    // Two rounds: a thread that the first round finds waiting for a superclass initializes the
    // class.
    for (int round = 0; round < 2; round++) {
      for (SeenThread waiter : waiters) {
        if (!resolved.containsKey(waiter.id())) {
          find(waiter, initializers).ifPresent(found -> resolved.put(waiter.id(), found));
        }
      }
    }
    return threads.stream().map(thread -> resolved.getOrDefault(thread.id(), thread)).toList();
  }

  /** Reads the classes whose code these threads run at the moment. */
  void readTop(List<SeenThread> threads) {
    maps.read(
        threads.stream()
            .filter(thread -> !thread.frames().isEmpty())
            .map(thread -> new StackTrace(List.of(thread.frames().getFirst()), false))
            .toList());
  }

  private Optional<SeenThread> find(SeenThread waiter, Map<String, Long> initializers) {
    if (mayWaitForAny(waiter)) {
      return initializers.values().stream().anyMatch(other -> other != waiter.id())
          ? Optional.of(waiter.with(new ThreadWait.ClassInitialization(""), waiter.held()))
          : Optional.empty();
    }
    Set<String> needed = needed(waiter.frames().getFirst());
    types.find(needed);
    for (String name : needed) {
      for (Class<?> type : types.named(name)) {
        List<HeldLock> begun = new ArrayList<>(waiter.held());
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
          if (!isUninitialized(each)) {
            break;
          }
          Long other = initializers.get(each.getName());
          if (other != null && other != waiter.id()) {
            begun
                .subList(waiter.held().size(), begun.size())
                .forEach(held -> initializers.putIfAbsent(held.lock().className(), waiter.id()));
            return Optional.of(
                waiter.with(new ThreadWait.ClassInitialization(each.getName()), begun));
          }
          if (other == null) {
            LockRef lock = LockRef.anyOf(each.getName());
            begun.add(new HeldLock(HeldLock.Kind.CLASS_INITIALIZATION, lock, 0));
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean isUninitialized(Class<?> type) {
    try {
      return internals.isUninitialized(type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the classes that the instructions on that frame's line initialize. */
  Set<String> needed(Frame frame) {
    Set<String> names = new HashSet<>();
    ClassRef type = frame.type();
    for (ClassMonitors map : maps.find(type)) {
      for (MethodMonitors method : map.methods()) {
        if (method.name().equals(frame.method())) {
          for (MethodMonitors.CallSite site : method.callSites()) {
            if (site.line() == frame.line() && !site.initializes().isEmpty()) {
              names.add(site.initializes());
            }
          }
        }
      }
    }
    return names;
  }
}
