package io.github.vtdiag.dump;

import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.JavaClass;
import org.netbeans.lib.profiler.heap.JavaFrameGCRoot;
import org.netbeans.lib.profiler.heap.ThreadObjectGCRoot;

/**
 * The objects that threads of a heap dump lock and wait for. Locks of {@code java.util.concurrent}
 * have their owner in a field. The heap has no owners of monitors: class files say which expression
 * a frame locked, and the heap which object that is, if the frame leaves no doubt.
 */
final class HeapLocks {
  private static final String OBJECT = "java.lang.Object";

  /** A frame by the thread that has its stack, and its number there. */
  private record Frame(long root, int number) {}

  /**
   * A virtual thread on the stack of its carrier.
   *
   * @param end the number of the carrier's first own frame
   */
  private record Mounted(long thread, int end) {}

  /** The frames of a thread, and on whose stack they are. */
  private record Place(long root, HeapStack stack) {}

  private final Heap heap;
  private final HeapFields fields;
  private final Map<Long, Map<Integer, Set<Instance>>> locals = new HashMap<>();
  private final Map<Long, Set<Frame>> frames = new HashMap<>();
  private final Map<Long, Place> places = new HashMap<>();
  private final Map<Long, Mounted> mounted = new HashMap<>();
  private final Map<Long, Long> threads = new HashMap<>();

  HeapLocks(Heap heap, HeapFields fields) {
    this.heap = heap;
    this.fields = fields;
  }

  /** Adds an object that a frame refers to. */
  void add(JavaFrameGCRoot local) {
    ThreadObjectGCRoot thread = local.getThreadGCRoot();
    Instance object = local.getInstance();
    if (thread == null || object == null) {
      return;
    }
    frames
        .computeIfAbsent(object.getInstanceId(), id -> new HashSet<>())
        .add(new Frame(thread.getInstance().getInstanceId(), local.getFrameNumber()));
    if (!HeapFields.isThread(object)) {
      locals
          .computeIfAbsent(thread.getInstance().getInstanceId(), id -> new HashMap<>())
          .computeIfAbsent(local.getFrameNumber(), number -> new HashSet<>())
          .add(object);
    }
  }

  /** Returns the threads with a frame that refers to an object. */
  Set<Long> framesThatReferTo(Instance object) {
    Set<Long> all = new HashSet<>();
    for (Frame frame : frames.getOrDefault(object.getInstanceId(), Set.of())) {
      Mounted above = mounted.get(frame.root());
      all.add(above != null && frame.number() < above.end() ? above.thread() : frame.root());
    }
    return all;
  }

  /** Puts a virtual thread on the stack of its carrier. */
  void mount(Instance thread, ThreadObjectGCRoot carrier, HeapStack stack) {
    put(thread, carrier, stack.virtualPart());
    List<Integer> own = stack.carrierPart().numbers();
    mounted.put(
        carrier.getInstance().getInstanceId(),
        new Mounted(thread.getInstanceId(), own.isEmpty() ? Integer.MAX_VALUE : own.getFirst()));
  }

  /** Records the stack of a thread. */
  void put(Instance thread, ThreadObjectGCRoot root, HeapStack stack) {
    places.put(thread.getInstanceId(), new Place(root.getInstance().getInstanceId(), stack));
    threads.put(HeapFields.number(thread, "tid").orElse(-1), thread.getInstanceId());
  }

  HeapStack stack(Instance thread) {
    Place place = places.get(thread.getInstanceId());
    return place == null ? HeapStack.NONE : place.stack();
  }

  static LockRef reference(Instance object) {
    return LockRef.of(object.getJavaClass().getName(), object.getInstanceNumber());
  }

  /**
   * Returns the object on which a thread waits to be notified: {@code this} of its frames of
   * Object.
   */
  Optional<Instance> waitedOn(Instance thread) {
    HeapStack stack = stack(thread);
    Set<Instance> candidates = new HashSet<>();
    int depth = 0;
    while (depth < stack.lines().size()
        && stack.lines().get(depth).contains("/" + OBJECT + ".wait")) {
      candidates.addAll(locals(thread.getInstanceId(), depth));
      depth++;
    }
    return candidates.size() == 1 ? Optional.of(candidates.iterator().next()) : Optional.empty();
  }

  private Set<Instance> locals(long thread, int depth) {
    Place place = places.get(thread);
    return place == null || depth >= place.stack().numbers().size()
        ? Set.of()
        : locals
            .getOrDefault(place.root(), Map.of())
            .getOrDefault(place.stack().numbers().get(depth), Set.of());
  }

  /**
   * Returns the owner of the object for which a thread is parked, or the thread that runs the task.
   */
  LockHolder holder(Instance blocker) {
    if (blocker.getValueOfField("exclusiveOwnerThread") instanceof Instance owner) {
      long id = HeapFields.number(owner, "tid").orElse(-1);
      boolean hasEnded = fields.state(owner).filter(Thread.State.TERMINATED::equals).isPresent();
      return hasEnded
          ? new LockHolder.Ended(id, HeapFields.name(owner), true)
          : new LockHolder.HeldBy(id);
    }
    if (blocker.getValueOfField("runner") instanceof Instance runner
        && HeapFields.number(runner, "tid").isPresent()) {
      return new LockHolder.RunBy(HeapFields.number(runner, "tid").getAsLong());
    }
    boolean isFree =
        blocker.getJavaClass().getName().startsWith("java.util.concurrent.locks.ReentrantLock$")
            && HeapFields.number(blocker, "state").equals(OptionalLong.of(0));
    return isFree ? new LockHolder.Free(first(blocker)) : new LockHolder.NotKnown();
  }

  /** Returns the thread of the first node in a lock's queue. */
  private static OptionalLong first(Instance lock) {
    return lock.getValueOfField("head") instanceof Instance head
            && head.getValueOfField("next") instanceof Instance node
            && node.getValueOfField("waiter") instanceof Instance waiter
        ? HeapFields.number(waiter, "tid")
        : OptionalLong.empty();
  }

  /** Returns the same thread, with the objects of its monitors where only one is possible. */
  SeenThread exact(SeenThread thread) {
    Long id = threads.get(thread.id());
    if (id == null) {
      return thread;
    }
    List<HeldLock> held = new ArrayList<>();
    for (HeldLock lock : thread.held()) {
      held.add(
          lock.kind() == HeldLock.Kind.MONITOR
              ? new HeldLock(lock.kind(), exact(lock.lock(), id, lock.depth()), lock.depth())
              : lock);
    }
    ThreadWait wait =
        thread.waitsFor() instanceof ThreadWait.MonitorEntry entry
            ? new ThreadWait.MonitorEntry(exact(entry.lock(), id, 0))
            : thread.waitsFor();
    return thread.with(wait, held);
  }

  /**
   * Returns the object of a frame's expression: the value of a static field, of a field of the only
   * object of that class that the frame refers to, or that object.
   */
  private LockRef exact(LockRef lock, long thread, int depth) {
    if (lock.isExact()) {
      return lock;
    }
    JavaClass type = heap.getJavaClassByName(lock.className());
    if (type == null) {
      return lock;
    }
    if (lock.name() instanceof LockRef.Name.StaticField field) {
      return type.getValueOfStaticField(field.name()) instanceof Instance object
          ? reference(object)
          : lock;
    }
    List<Instance> owners =
        locals(thread, depth).stream()
            .filter(local -> HeapFields.isA(local, type.getName()))
            .toList();
    if (owners.size() != 1) {
      return lock;
    }
    if (lock.name() instanceof LockRef.Name.Field field) {
      return owners.getFirst().getValueOfField(field.name()) instanceof Instance object
          ? reference(object)
          : lock;
    }
    return reference(owners.getFirst());
  }
}
