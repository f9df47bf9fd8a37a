package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.StackTrace;
import java.lang.management.LockInfo;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The monitors of virtual threads on a JDK that does not name them: by the lock maps of the classes
 * on their stacks. Class objects and the values of final static fields are known as objects; of all
 * others only the class, or the field, is known. The JVM's management names the monitors of
 * platform threads.
 */
final class MonitorsByMap {
  private final ThreadInternals internals;
  private final ThreadReader reader;
  private final LockMapReader maps;
  private final LoadedTypes types;
  private final Management management;

  MonitorsByMap(
      ThreadInternals internals,
      ThreadReader reader,
      LockMapReader maps,
      LoadedTypes types,
      Management management) {
    this.internals = internals;
    this.reader = reader;
    this.maps = maps;
    this.types = types;
    this.management = management;
  }

  /** Returns whether a thread waits for a monitor that is still unknown. */
  static boolean mayWait(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.MonitorEntry entry
        && entry.lock().className().isEmpty();
  }

  /**
   * Returns the same threads with their monitors, and the platform threads that hold any.
   *
   * @param threads with all virtual threads that have a carrier: only they can hold monitors
   */
  List<SeenThread> resolve(List<SeenThread> threads, List<Thread> platform) {
    Map<Long, ThreadInfo> infos = new HashMap<>();
    for (ThreadInfo info : management.monitors(platform)) {
      infos.put(info.getThreadId(), info);
    }
    List<SeenThread> virtual =
        threads.stream()
            .filter(thread -> thread.virtual() && thread.mount() == SeenThread.Mount.MOUNTED)
            .toList();
    maps.read(virtual.stream().map(thread -> new StackTrace(thread.frames(), false)).toList());
    List<SeenThread> resolved = new ArrayList<>();
    for (SeenThread thread : threads) {
      ThreadInfo info = infos.remove(thread.id());
      if (virtual.contains(thread)) {
        resolved.add(byMaps(thread));
      } else {
        resolved.add(info == null ? thread : byManagement(thread, info));
      }
    }
    Map<Long, Thread> others = new HashMap<>();
    platform.forEach(thread -> others.put(thread.threadId(), thread));
    for (ThreadInfo info : infos.values()) {
      // It may hold the monitor that others wait for, though it is not stuck.
      if (info.getLockedMonitors().length > 0 && others.containsKey(info.getThreadId())) {
        resolved.add(byManagement(reader.platform(others.get(info.getThreadId()), info), info));
      }
    }
    return resolved;
  }

  private static SeenThread byManagement(SeenThread thread, ThreadInfo info) {
    List<HeldLock> held = new ArrayList<>(thread.held());
    for (MonitorInfo monitor : info.getLockedMonitors()) {
      held.add(new HeldLock(HeldLock.Kind.MONITOR, ref(monitor), monitor.getLockedStackDepth()));
    }
    boolean blocked = mayWait(thread) && info.getLockInfo() != null;
    return thread.with(
        blocked ? new ThreadWait.MonitorEntry(ref(info.getLockInfo())) : thread.waitsFor(), held);
  }

  private static LockRef ref(LockInfo lock) {
    return LockRef.of(lock.getClassName(), lock.getIdentityHashCode());
  }

  private SeenThread byMaps(SeenThread thread) {
    boolean entering = mayWait(thread);
    List<HeldLock> held = new ArrayList<>(thread.held());
    for (int depth = entering ? 1 : 0; depth < thread.frames().size(); depth++) {
      Frame frame = thread.frames().get(depth);
      for (MonitorRegion region : held(frame)) {
        Optional<LockRef> lock = ref(region.lock(), frame);
        if (lock.isPresent() || !frame.type().isJdk()) {
          // An unknown monitor may be any object; it has no class.
          held.add(
              new HeldLock(HeldLock.Kind.MONITOR, lock.orElseGet(() -> LockRef.anyOf("")), depth));
        }
      }
    }
    return thread.with(
        entering && !thread.frames().isEmpty() ? entry(thread.frames(), held) : thread.waitsFor(),
        held);
  }

  /** Returns what a frame holds where it calls the next: what is held at every call on its line. */
  private Set<MonitorRegion> held(Frame frame) {
    Set<MonitorRegion> common = null;
    for (MethodMonitors method : methods(frame)) {
      for (MethodMonitors.CallSite site : method.callSites()) {
        if (site.line() == frame.line()) {
          Set<MonitorRegion> here = new LinkedHashSet<>(method.heldAt(site.bci()));
          if (common == null) {
            common = here;
          } else {
            common.retainAll(here);
          }
        }
      }
    }
    return common == null ? Set.of() : common;
  }

  private List<MethodMonitors> methods(Frame frame) {
    List<MethodMonitors> methods = new ArrayList<>();
    for (ClassMonitors map : maps.find(frame.type())) {
      for (MethodMonitors method : map.methods()) {
        if (method.name().equals(frame.method())) {
          methods.add(method);
        }
      }
    }
    return methods;
  }

  /** Returns the monitor that the innermost frame waits to enter, if it is unambiguous. */
  private ThreadWait entry(List<Frame> frames, List<HeldLock> held) {
    Frame top = frames.getFirst();
    List<MonitorRegion> entered = new ArrayList<>();
    for (MethodMonitors method : methods(top)) {
      int first = firstLine(method);
      for (MonitorRegion region : method.regions()) {
        boolean here =
            region.kind() == MonitorRegion.Kind.METHOD
                ? top.line() == first
                : region.firstLine() == top.line() || lineAfter(method, region) == top.line();
        if (here) {
          entered.add(region);
        }
      }
    }
    Set<LockRef> locks = new HashSet<>();
    entered.forEach(region -> locks.add(ref(region.lock(), top).orElse(LockRef.anyOf(""))));
    if (locks.size() != 1) {
      return new ThreadWait.MonitorEntry(LockRef.anyOf(""));
    }
    // At a block in a synchronized method, the method's own monitor is held by now.
    if (entered.getFirst().kind() == MonitorRegion.Kind.BLOCK) {
      for (MethodMonitors method : methods(top)) {
        method.regions().stream()
            .filter(region -> region.kind() == MonitorRegion.Kind.METHOD)
            .flatMap(region -> ref(region.lock(), top).stream())
            .forEach(lock -> held.add(new HeldLock(HeldLock.Kind.MONITOR, lock, 0)));
      }
      addOuterBlocks(top, entered.getFirst(), held);
    }
    return new ThreadWait.MonitorEntry(locks.iterator().next());
  }

  /** Adds the blocks around the one that is entered. */
  private void addOuterBlocks(Frame top, MonitorRegion entered, List<HeldLock> held) {
    for (MethodMonitors method : methods(top)) {
      if (method.regions().contains(entered)) {
        for (MonitorRegion region : method.regions()) {
          if (region.kind() == MonitorRegion.Kind.BLOCK && region.holdsAt(entered.enterBci())) {
            held.add(
                new HeldLock(
                    HeldLock.Kind.MONITOR,
                    ref(region.lock(), top).orElseGet(() -> LockRef.anyOf("")),
                    0));
          }
        }
      }
    }
  }

  /**
   * Returns the line after the entry of a block. The interpreter has moved on to the next
   * instruction, which can be on another line.
   */
  private static int lineAfter(MethodMonitors method, MonitorRegion block) {
    return method.callSites().stream()
        .filter(site -> site.bci() > block.enterBci())
        .mapToInt(MethodMonitors.CallSite::line)
        .findFirst()
        .orElse(-1);
  }

  private static int firstLine(MethodMonitors method) {
    return method.regions().stream()
        .filter(region -> region.kind() == MonitorRegion.Kind.METHOD)
        .mapToInt(MonitorRegion::firstLine)
        .findFirst()
        .orElse(-1);
  }

  private Optional<LockRef> ref(LockExpression lock, Frame frame) {
    return switch (lock.kind()) {
      case CLASS_LITERAL -> sole(lock.owner()).map(ThreadReader::ref);
      case STATIC_FIELD -> sole(lock.owner()).flatMap(type -> value(type, lock.name()));
      case THIS -> Optional.of(LockRef.anyOf(frame.type().name()));
      case INSTANCE_FIELD, OTHER_FIELD -> Optional.of(LockRef.ofField(lock.owner(), lock.name()));
      case CALL_RESULT ->
          Optional.of(
              new LockRef(lock.owner(), OptionalInt.empty(), new LockRef.Name.Result(lock.name())));
      case PARAMETER, LOCAL, NEW_OBJECT, ARRAY_ELEMENT, UNKNOWN -> Optional.empty();
    };
  }

  private Optional<Class<?>> sole(String name) {
    types.find(Set.of(name));
    List<Class<?>> found = types.named(name);
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  /** Returns the object in a final static field. */
  private Optional<LockRef> value(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      if (!Modifier.isFinal(field.getModifiers()) || internals.isUninitialized(type)) {
        return Optional.empty();
      }
      internals.open(type);
      field.setAccessible(true);
      return Optional.ofNullable(field.get(null))
          .map(ThreadReader::ref)
          .map(lock -> lock.named(type.getSimpleName() + "." + name));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // The field is a superclass's.
      return Optional.empty();
    }
  }
}
