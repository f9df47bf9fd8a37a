package io.github.vtdiag.hang;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.WrittenFrames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** The graph of waits among the threads of one snapshot. A thread waits for one other at most. */
final class WaitGraph {
  private static final String READERS = "java.util.concurrent.locks.ReentrantReadWriteLock$";

  private final Map<Long, SeenThread> threads = new LinkedHashMap<>();
  private final Map<String, List<Holding>> monitors = new HashMap<>();
  private final Map<String, List<Holding>> classes = new LinkedHashMap<>();
  private final boolean complete;

  private record Holding(SeenThread thread, HeldLock held) {
    Optional<Frame> frame() {
      boolean known = held.depth() >= 0 && held.depth() < thread.frames().size();
      return known ? Optional.of(thread.frames().get(held.depth())) : Optional.empty();
    }
  }

  /**
   * @param complete whether each awaited monitor is known as an object, so that no other is a
   *     candidate
   */
  WaitGraph(List<SeenThread> seen, boolean complete) {
    this.complete = complete;
    for (SeenThread thread : seen) {
      threads.put(thread.id(), thread);
      for (HeldLock held : thread.held()) {
        Map<String, List<Holding>> index =
            switch (held.kind()) {
              case MONITOR -> monitors;
              case CLASS_INITIALIZATION -> classes;
            };
        index
            .computeIfAbsent(held.lock().className(), name -> new ArrayList<>())
            .add(new Holding(thread, held));
      }
    }
  }

  /** Returns the wait of a thread for another; empty if there is none, or if it cannot be seen. */
  Optional<WaitEdge> edge(SeenThread waiter) {
    return switch (waiter.waitsFor()) {
      case ThreadWait.MonitorEntry entry -> monitor(waiter, entry.lock());
      case ThreadWait.Park park -> parked(waiter, park);
      case ThreadWait.ClassInitialization awaited -> initialization(waiter, awaited.className());
      case ThreadWait.Nothing nothing -> Optional.empty();
      case ThreadWait.ObjectWait wait -> Optional.empty();
      case ThreadWait.NativeCode code -> Optional.empty();
      case ThreadWait.Sleep sleep -> Optional.empty();
      case ThreadWait.NotKnown unknown -> Optional.empty();
    };
  }

  private Optional<WaitEdge> monitor(SeenThread waiter, LockRef lock) {
    for (Holding holding : others(monitors, lock.className(), waiter)) {
      if (holding.held().lock().isSame(lock)) {
        return Optional.of(edge(waiter, lock, WaitEdge.How.MONITOR, holding, true));
      }
    }
    if (lock.isClassLoader() && !lock.isExact()) {
      return loader(waiter);
    }
    if (complete) {
      return Optional.empty();
    }
    List<Holding> holdings = new ArrayList<>();
    monitors.keySet().forEach(name -> holdings.addAll(others(monitors, name, waiter)));
    holdings.removeIf(holding -> !holding.held().lock().mayBe(lock));
    return sole(holdings)
        .filter(holding -> holding.held().lock().maybeSame(lock))
        .map(holding -> edge(waiter, lock, WaitEdge.How.MONITOR, holding, false));
  }

  /** Returns the wait for the only other thread that is in a loader and holds a monitor there. */
  private Optional<WaitEdge> loader(SeenThread waiter) {
    List<Holding> holdings = new ArrayList<>();
    monitors.keySet().forEach(name -> holdings.addAll(others(monitors, name, waiter)));
    holdings.removeIf(
        holding -> holding.frame().filter(frame -> frame.method().equals("loadClass")).isEmpty());
    return sole(holdings)
        .map(
            holding -> {
              LockRef lock = LockRef.ofClassLoader(Optional.of(holding.held().lock()), "");
              return edge(waiter, lock, WaitEdge.How.MONITOR, holding, false);
            });
  }

  private Optional<WaitEdge> initialization(SeenThread waiter, String className) {
    if (className.isEmpty()) {
      List<WaitEdge> any = anyInitialization(waiter);
      boolean one = any.stream().map(edge -> edge.other().id()).distinct().count() == 1;
      return one ? Optional.of(any.getFirst()) : Optional.empty();
    }
    LockRef lock = LockRef.anyOf(className);
    return sole(others(classes, className, waiter))
        .map(holding -> edge(waiter, lock, WaitEdge.How.CLASS_INITIALIZATION, holding, true));
  }

  /**
   * Returns a wait for each thread that may initialize the unknown class that a thread waits for.
   */
  private List<WaitEdge> anyInitialization(SeenThread waiter) {
    List<WaitEdge> edges = new ArrayList<>();
    for (String name : classes.keySet()) {
      for (Holding holding : others(classes, name, waiter)) {
        LockRef lock = LockRef.anyOf(name);
        edges.add(edge(waiter, lock, WaitEdge.How.CLASS_INITIALIZATION, holding, false));
      }
    }
    return edges;
  }

  private Optional<WaitEdge> parked(SeenThread waiter, ThreadWait.Park park) {
    return switch (park.holder()) {
      case LockHolder.HeldBy by -> lock(waiter, park, WaitEdge.How.LOCK, by.threadId());
      case LockHolder.Free free when free.next().isPresent() ->
          lock(waiter, park, WaitEdge.How.NEXT, free.next().getAsLong());
      case LockHolder.RunBy by -> lock(waiter, park, WaitEdge.How.TASK, by.threadId());
      case LockHolder.EndOf of -> lock(waiter, park, WaitEdge.How.JOIN, of.threadId());
      case LockHolder.Free free -> Optional.empty();
      case LockHolder.Ended ended -> Optional.empty();
      case LockHolder.Woken woken -> Optional.empty();
      case LockHolder.NotKnown unknown -> Optional.empty();
    };
  }

  private Optional<WaitEdge> lock(
      SeenThread waiter, ThreadWait.Park park, WaitEdge.How how, long id) {
    SeenThread other = threads.get(id);
    boolean itself = id == waiter.id() && !mayWaitForItself(waiter, park, how);
    return other == null || itself || park.blocker().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new WaitEdge(waiter, park.blocker().get(), how, other, Optional.empty(), true));
  }

  /**
   * Returns whether a thread can wait for itself. A reader that asks for the write lock does; other
   * locks are reentrant.
   */
  private static boolean mayWaitForItself(
      SeenThread waiter, ThreadWait.Park park, WaitEdge.How how) {
    return how == WaitEdge.How.LOCK
        && waiter.mount() != SeenThread.Mount.MOUNTED
        && park.blocker().filter(lock -> lock.className().startsWith(READERS)).isPresent();
  }

  private static WaitEdge edge(
      SeenThread waiter, LockRef lock, WaitEdge.How how, Holding holding, boolean exact) {
    return new WaitEdge(waiter, lock, how, holding.thread(), holding.frame(), exact);
  }

  private static List<Holding> others(
      Map<String, List<Holding>> index, String className, SeenThread waiter) {
    List<Holding> others = new ArrayList<>(index.getOrDefault(className, List.of()));
    others.removeIf(holding -> holding.thread().id() == waiter.id());
    return others;
  }

  /** Returns the holding if only one thread is a candidate; two candidates prove nothing. */
  private static Optional<Holding> sole(List<Holding> holdings) {
    boolean one = holdings.stream().map(holding -> holding.thread().id()).distinct().count() == 1;
    return one ? Optional.of(holdings.getFirst()) : Optional.empty();
  }

  /** Returns the waits from a thread to the next one, up to a thread that waits for none. */
  List<WaitEdge> chain(SeenThread first) {
    List<WaitEdge> chain = new ArrayList<>();
    Set<Long> met = new HashSet<>();
    Optional<WaitEdge> next = edge(first);
    while (next.isPresent() && met.add(next.get().waiter().id())) {
      chain.add(next.get());
      next = edge(next.get().other());
    }
    return chain;
  }

  /**
   * Returns the wait of a thread for a notification or signal from an unknown thread. The other
   * thread is the first in the same call of a library: both have a frame of the same method of the
   * library that waits. The frames of whoever called it do not count, nor those of the package that
   * called first: all threads of a program may have them.
   */
  static Optional<WaitEdge> sameCall(SeenThread waiter, List<SeenThread> others) {
    boolean isWoken =
        switch (waiter.waitsFor()) {
          case ThreadWait.ObjectWait wait -> true;
          case ThreadWait.Park park ->
              park.blocker().isPresent() && park.holder() instanceof LockHolder.NotKnown;
          case ThreadWait.Nothing nothing -> false;
          case ThreadWait.MonitorEntry entry -> false;
          case ThreadWait.ClassInitialization awaited -> false;
          case ThreadWait.NativeCode code -> false;
          case ThreadWait.Sleep sleep -> false;
          case ThreadWait.NotKnown unknown -> false;
        };
    List<Frame> own = WrittenFrames.outsideJdk(waiter.frames()).toList();
    if (!isWoken || own.isEmpty()) {
      return Optional.empty();
    }
    String caller = packageOf(own.getLast());
    String library = ClassRef.rootPackage(own.getFirst().type().name());
    Set<String> methods =
        own.stream()
            .takeWhile(frame -> ClassRef.rootPackage(frame.type().name()).equals(library))
            .filter(frame -> !packageOf(frame).equals(caller))
            .map(Frame::qualifiedMethod)
            .collect(Collectors.toSet());
    for (SeenThread other : others) {
      for (Frame frame : other.frames()) {
        if (methods.contains(frame.qualifiedMethod())) {
          LockRef lock = waiter.waitsFor().object().orElse(LockRef.anyOf(""));
          return Optional.of(
              new WaitEdge(waiter, lock, WaitEdge.How.SAME_CALL, other, Optional.of(frame), false));
        }
      }
    }
    return Optional.empty();
  }

  private static String packageOf(Frame frame) {
    String name = frame.type().name();
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  /** Returns the cycles, each once. */
  List<List<WaitEdge>> cycles() {
    List<List<WaitEdge>> cycles = new ArrayList<>();
    Set<Long> done = new HashSet<>();
    for (SeenThread start : threads.values()) {
      Map<Long, WaitEdge> path = new LinkedHashMap<>();
      SeenThread at = start;
      while (!done.contains(at.id()) && !path.containsKey(at.id())) {
        Optional<WaitEdge> next = edge(at);
        if (next.isEmpty()) {
          break;
        }
        path.put(at.id(), next.get());
        at = next.get().other();
      }
      if (path.containsKey(at.id())) {
        List<WaitEdge> edges = new ArrayList<>(path.values());
        cycles.add(List.copyOf(edges.subList(edges.indexOf(path.get(at.id())), edges.size())));
      }
      done.addAll(path.keySet());
      done.add(start.id());
    }
    return cycles;
  }

  /**
   * Finds a cycle among threads that wait for monitors or classes that only others of them can
   * hold. Whichever holds them, none goes on. No lock has to be known as an object.
   *
   * @param stuck the threads that stood still
   */
  Optional<List<WaitEdge>> knot(Set<Long> stuck) {
    Map<Long, List<WaitEdge>> waiting = new LinkedHashMap<>();
    for (SeenThread thread : threads.values()) {
      if (stuck.contains(thread.id()) && !thread.waitsFor().isTimed()) {
        waiting.put(thread.id(), possible(thread));
      }
    }
    while (waiting
        .values()
        .removeIf(
            edges ->
                edges.isEmpty()
                    || edges.stream().anyMatch(edge -> !waiting.containsKey(edge.other().id())))) {
      // A thread that waited for one of those that may go on may go on as well.
    }
    Map<Long, WaitEdge> path = new LinkedHashMap<>();
    Optional<Long> start = waiting.keySet().stream().findFirst();
    if (start.isEmpty()) {
      return Optional.empty();
    }
    long at = start.get();
    while (!path.containsKey(at)) {
      path.put(at, waiting.get(at).getFirst());
      at = path.get(at).other().id();
    }
    List<WaitEdge> edges = new ArrayList<>(path.values());
    return Optional.of(List.copyOf(edges.subList(edges.indexOf(path.get(at)), edges.size())));
  }

  /**
   * Returns the waits for every candidate; for an unknown monitor, for every thread that holds any.
   * None if no thread is seen with a fitting monitor: then its owner is not seen.
   */
  private List<WaitEdge> possible(SeenThread waiter) {
    Optional<WaitEdge> known = edge(waiter);
    if (known.map(WaitEdge::exact).orElse(false)) {
      return List.of(known.get());
    }
    if (waiter.waitsFor() instanceof ThreadWait.ClassInitialization awaited
        && awaited.className().isEmpty()) {
      return anyInitialization(waiter);
    }
    if (complete || !(waiter.waitsFor() instanceof ThreadWait.MonitorEntry entry)) {
      return List.of();
    }
    LockRef lock = entry.lock();
    List<WaitEdge> fitting = new ArrayList<>();
    List<WaitEdge> others = new ArrayList<>();
    for (List<Holding> holdings : monitors.values()) {
      for (Holding holding : holdings) {
        LockRef held = holding.held().lock();
        if (holding.thread().id() != waiter.id() && !(held.isExact() && lock.isExact())) {
          boolean fits =
              held.maybeSame(lock) || held.className().isEmpty() || lock.className().isEmpty();
          (fits ? fitting : others).add(edge(waiter, lock, WaitEdge.How.MONITOR, holding, false));
        }
      }
    }
    if (!fitting.isEmpty()) {
      fitting.addAll(others);
    }
    return fitting;
  }

  /**
   * Returns whether a thread waits for a lock that is free: it is first in the queue of a lock
   * without an owner.
   */
  static boolean isLostWakeUp(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.Park park
        && !park.timed()
        && !thread.needsCarrier()
        && switch (park.holder()) {
          case LockHolder.Free free -> free.next().equals(OptionalLong.of(thread.id()));
          case LockHolder.Woken woken -> true;
          case LockHolder.HeldBy by -> false;
          case LockHolder.Ended ended -> false;
          case LockHolder.RunBy by -> false;
          case LockHolder.EndOf of -> false;
          case LockHolder.NotKnown unknown -> false;
        };
  }

  /** Returns whether a thread is blocked at a monitor that no thread holds. */
  boolean isBlockedAtNothing(SeenThread thread) {
    return thread.waitsFor() instanceof ThreadWait.MonitorEntry entry
        && entry.lock().isExact()
        && monitors.getOrDefault(entry.lock().className(), List.of()).stream()
            .noneMatch(holding -> holding.held().lock().maybeSame(entry.lock()));
  }
}
