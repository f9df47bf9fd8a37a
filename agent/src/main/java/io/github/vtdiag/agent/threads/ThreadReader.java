package io.github.vtdiag.agent.threads;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.SeenThread.Mount;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.watch.CarrierStates;
import io.github.vtdiag.watch.Carriers;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** Reads one thread in full: its stack, what it waits for, what it holds. */
public final class ThreadReader {
  private final ThreadInternals internals;
  private final Optional<ExactSnapshots> exact;
  private final AwaitedThreads awaited = new AwaitedThreads();

  /** The stacks of threads that need a carrier, as long as the count of mounts is the same. */
  private final Map<Thread, List<StackTraceElement>> inQueue = new HashMap<>();

  private long mounts;

  /**
   * The threads that used no processor time between the last two scans, and did not leave their
   * carriers.
   */
  private Set<Thread> stood = Set.of();

  ThreadReader(ThreadInternals internals, CarrierStates carriers) {
    this.internals = internals;
    this.exact = ExactSnapshots.find(internals, carriers);
  }

  /** Returns the threads that run awaited tasks, or are joined. */
  AwaitedThreads awaited() {
    return awaited;
  }

  /**
   * Returns the thread that has to go on before one goes on that is parked for this: the owner of
   * the lock, or the thread that runs the task or is joined; null if there is none, or it is
   * unknown.
   */
  Thread awaited(Object blocker) {
    Thread owner = internals.owner(blocker);
    return owner == null ? awaited.of(blocker) : owner;
  }

  /** Returns whether monitors are known as objects. */
  boolean isExact() {
    return exact.isPresent();
  }

  /** Returns a thread that cannot be stuck, without its stack. */
  SeenThread moving(Thread thread) {
    Thread carrier = thread.isVirtual() ? internals.carrier(thread) : null;
    return seen(thread, thread.getState(), carrier, List.of(), new ThreadWait.Nothing(), List.of());
  }

  /**
   * Returns a platform thread as the JVM's management saw it. Without its stack if it can go on:
   * that differs each time, and says nothing of those that wait for it.
   */
  SeenThread platform(Thread thread, ThreadInfo info) {
    Thread.State state = info.getThreadState();
    boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    List<Frame> frames = waits ? frames(List.of(info.getStackTrace())) : List.of();
    ThreadWait wait =
        waits ? byStack(state, internals.blocker(thread), frames, true) : new ThreadWait.Nothing();
    return seen(thread, state, null, frames, wait, List.of());
  }

  /** A thread, and its stack as the JDK writes it. */
  record Read(SeenThread thread, List<StackTraceElement> stack) {}

  /** Reads a thread; empty if it has ended. */
  Optional<SeenThread> look(Thread thread) throws ReflectiveOperationException {
    return read(thread).map(Read::thread);
  }

  /** Reads a thread; empty if it has ended. */
  Optional<Read> read(Thread thread) throws ReflectiveOperationException {
    Optional<Read> read = exactly(thread);
    if (read.isEmpty()) {
      read = byParts(thread);
    }
    return thread.isVirtual() && internals.isOverdue(thread, internals.state(thread))
        ? read.map(of -> new Read(needsCarrier(of.thread()), of.stack()))
        : read;
  }

  /** Returns a thread whose wait is over, though the JDK has not recorded that. */
  private static SeenThread needsCarrier(SeenThread thread) {
    return new SeenThread(
        thread.id(),
        thread.name(),
        thread.virtual(),
        Optional.of(Thread.State.RUNNABLE),
        Mount.UNMOUNTED,
        OptionalLong.empty(),
        thread.frames(),
        new ThreadWait.Nothing(),
        thread.held());
  }

  private Optional<Read> exactly(Thread thread) throws ReflectiveOperationException {
    return exact.isEmpty()
        ? Optional.empty()
        : exact
            .get()
            .look(thread, stood.contains(thread))
            .map(found -> new Read(exactly(thread, found), found.stack()));
  }

  private SeenThread exactly(Thread thread, ExactSnapshots.Exact found) {
    List<HeldLock> held = new ArrayList<>();
    for (ExactSnapshots.Owned owned : found.owned()) {
      held.add(new HeldLock(HeldLock.Kind.MONITOR, ref(owned.monitor()), owned.depth()));
    }
    boolean timed = found.state() == Thread.State.TIMED_WAITING;
    List<Frame> frames = frames(found.stack());
    ThreadWait wait;
    if (found.blockedOn() != null) {
      wait = new ThreadWait.MonitorEntry(ref(found.blockedOn()));
    } else if (found.waitingOn() != null) {
      wait = new ThreadWait.ObjectWait(ref(found.waitingOn()), timed);
    } else {
      wait =
          byStack(
              found.state(),
              found.parkBlocker(),
              frames,
              found.carrier() != null || !thread.isVirtual());
    }
    return seen(thread, found.state(), found.carrier(), frames, wait, held);
  }

  /** Reads state, blocker and stack one after the other; empty if one of them changed meanwhile. */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  private Optional<Read> byParts(Thread thread) {
    Thread.State state = thread.getState();
    Object blocker = internals.blocker(thread);
    Thread carrier = thread.isVirtual() ? internals.carrier(thread) : null;
    boolean queued = thread.isVirtual() && carrier == null && state == Thread.State.RUNNABLE;
    List<StackTraceElement> stack =
        internals.isBetween(thread) || isLeftWoken(thread)
            ? List.of()
            : queued ? stackInQueue(thread) : List.of(thread.getStackTrace());
    boolean same =
        state == thread.getState()
            && blocker == internals.blocker(thread)
            && (!thread.isVirtual() || carrier == internals.carrier(thread));
    if (!thread.isAlive()) {
      return Optional.empty();
    }
    List<Frame> frames = frames(stack);
    boolean mounted = carrier != null || !thread.isVirtual();
    ThreadWait wait = same ? byStack(state, blocker, frames, mounted) : new ThreadWait.Nothing();
    return Optional.of(new Read(seen(thread, state, carrier, frames, wait, List.of()), stack));
  }

  /**
   * Returns whether its stack should not be read: that would make a thread go on whose wake-up was
   * lost.
   */
  private boolean isLeftWoken(Thread thread) {
    return exact.isPresent()
        && thread.isVirtual()
        && internals.isWoken(thread, internals.state(thread));
  }

  /**
   * Begins a snapshot; to be called before each.
   *
   * @param standing the threads that used no processor time between the last two scans, and did not
   *     leave their carriers; carriers that are blocked, too
   */
  void startLook(Set<Thread> standing) {
    stood = standing;
    long now = Mounts.total();
    if (now != mounts) {
      forgetQueue();
      mounts = now;
    }
  }

  /**
   * Returns the stack of a thread that needs a carrier. To read it, the JDK before 25 changes the
   * thread's state and queues the thread once more. So it is read only once as long as no carrier
   * mounts anything.
   */
  private List<StackTraceElement> stackInQueue(Thread thread) {
    return inQueue.computeIfAbsent(
        thread,
        queued -> {
          List<StackTraceElement> stack = List.of(queued.getStackTrace());
          Carriers.hasReadInQueue();
          return stack;
        });
  }

  /**
   * Drops these stacks; to be called when some carrier has moved, because mounts may not be
   * counted.
   */
  void forgetQueue() {
    inQueue.clear();
  }

  private static SeenThread seen(
      Thread thread,
      Thread.State state,
      Thread carrier,
      List<Frame> frames,
      ThreadWait wait,
      List<HeldLock> held) {
    List<HeldLock> all = new ArrayList<>(held);
    for (int depth = 0; depth < frames.size(); depth++) {
      if (frames.get(depth).isClassInitializer()) {
        LockRef type = LockRef.anyOf(frames.get(depth).type().name());
        all.add(new HeldLock(HeldLock.Kind.CLASS_INITIALIZATION, type, depth));
      }
    }
    return new SeenThread(
        thread.threadId(),
        thread.getName(),
        thread.isVirtual(),
        Optional.of(state),
        !thread.isVirtual() ? Mount.NOT_KNOWN : carrier != null ? Mount.MOUNTED : Mount.UNMOUNTED,
        carrier == null ? OptionalLong.empty() : OptionalLong.of(carrier.threadId()),
        frames,
        wait,
        all);
  }

  private ThreadWait byStack(
      Thread.State state, Object blocker, List<Frame> frames, boolean mounted) {
    boolean timed = state == Thread.State.TIMED_WAITING;
    return switch (state) {
      case BLOCKED -> new ThreadWait.MonitorEntry(LockRef.anyOf(""));
      case WAITING, TIMED_WAITING -> {
        if (blocker == null && has(frames, "java.lang.Object", "wait0")) {
          yield new ThreadWait.ObjectWait(LockRef.anyOf(""), timed);
        }
        if (blocker == null && has(frames, "java.lang.Thread", "sleep")) {
          yield new ThreadWait.Sleep();
        }
        yield new ThreadWait.Park(
            Optional.ofNullable(blocker).map(ThreadReader::ref), holder(blocker), timed);
      }
      case RUNNABLE ->
          mounted && !frames.isEmpty() && frames.getFirst().isNative()
              ? new ThreadWait.NativeCode()
              : new ThreadWait.Nothing();
      case NEW, TERMINATED -> new ThreadWait.Nothing();
    };
  }

  /**
   * Reads a thread that was woken and has not gone on. Reading its stack makes the JDK check again
   * whether it may run, so that it goes on now, as it should have.
   */
  Optional<SeenThread> woken(Thread thread) throws ReflectiveOperationException {
    Optional<LockRef> blocker =
        Optional.ofNullable(internals.blocker(thread)).map(ThreadReader::ref);
    Optional<SeenThread> read =
        exact.isPresent()
            ? exact.get().lookAtWoken(thread).map(found -> exactly(thread, found))
            : Optional.empty();
    if (read.isEmpty()) {
      read = look(thread);
    }
    List<Frame> frames = frames(List.of(thread.getStackTrace()));
    return read.map(
        seen ->
            new SeenThread(
                seen.id(),
                seen.name(),
                seen.virtual(),
                seen.state(),
                Mount.UNMOUNTED,
                OptionalLong.empty(),
                seen.frames().isEmpty() ? frames : seen.frames(),
                new ThreadWait.Park(
                    seen.waitsFor().object().or(() -> blocker), new LockHolder.Woken(), false),
                seen.held()));
  }

  /** Returns whether a method is among the top frames that are the JDK's. */
  private static boolean has(List<Frame> frames, String type, String method) {
    return frames.stream()
        .takeWhile(frame -> frame.type().name().startsWith("java.lang."))
        .anyMatch(frame -> frame.is(type, method));
  }

  private LockHolder holder(Object blocker) {
    Thread holder = internals.owner(blocker);
    if (holder != null) {
      return holder.isAlive()
          ? new LockHolder.HeldBy(holder.threadId())
          : new LockHolder.Ended(holder.threadId(), holder.getName(), true);
    }
    Optional<Thread> next = next(blocker);
    if (next.isPresent()) {
      return new LockHolder.Free(OptionalLong.of(next.get().threadId()));
    }
    return awaited.holder(blocker).orElseGet(LockHolder.NotKnown::new);
  }

  /** Returns the thread that gets it next, if it is free. */
  Optional<Thread> next(Object blocker) {
    try {
      return blocker instanceof AbstractQueuedSynchronizer lock && internals.isFree(lock)
          ? Optional.ofNullable(lock.getFirstQueuedThread())
          : Optional.empty();
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }

  static LockRef ref(Object object) {
    LockRef lock = LockRef.of(object.getClass().getName(), System.identityHashCode(object));
    return object instanceof Class<?> type ? lock.named(type.getName() + ".class") : lock;
  }

  public static List<Frame> frames(List<StackTraceElement> stack) {
    return stack.stream().map(ThreadReader::frame).toList();
  }

  private static Frame frame(StackTraceElement element) {
    boolean isNative = element.isNativeMethod();
    String loader = element.getClassLoaderName();
    return new Frame(
        new ClassRef(element.getClassName(), loader == null ? "" : loader)
            .withSource(element.getFileName()),
        element.getMethodName(),
        "",
        isNative ? Modifier.NATIVE : 0,
        -1,
        Math.max(-1, element.getLineNumber()),
        isNative ? Frame.Kind.NATIVE : Frame.Kind.UNKNOWN);
  }
}
