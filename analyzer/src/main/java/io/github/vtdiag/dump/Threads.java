package io.github.vtdiag.dump;

import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.SeenThread.Mount;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JavaRelease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The threads of one snapshot, from both of its dumps. Where neither tells, the stacks do if they
 * leave no doubt: on Java 21 a virtual thread without a carrier stands in {@code VirtualThread},
 * wherever it waits.
 */
final class Threads {
  private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";

  private static final ThreadWait NOTHING = new ThreadWait.Nothing();
  private static final ThreadWait NOT_KNOWN = new ThreadWait.NotKnown();

  /** Threads of the JVM that have no Java frames. */
  private static final Set<String> WITHOUT_FRAMES =
      Set.of(
          "Signal Dispatcher",
          "Notification Thread",
          "Attach Listener",
          "DestroyJavaVM",
          "Service Thread",
          "Monitor Deflation Thread");

  private final Map<Long, PrintedThread> printed;
  private final Map<Long, Long> carriers = new HashMap<>();
  private final Optional<Set<Long>> running;
  private final MonitorsByLine monitors;
  private final Map<Long, Long> owners = new HashMap<>();
  private final boolean monitorsOfUnmounted;

  /**
   * @param printed the platform threads by id; empty if there is only the JSON
   * @param running those platform threads that used the processor between the snapshots; empty if
   *     that is not known
   */
  Threads(Map<Long, PrintedThread> printed, Optional<Set<Long>> running, MonitorsByLine monitors) {
    this(printed, running, monitors, false);
  }

  private Threads(
      Map<Long, PrintedThread> printed,
      Optional<Set<Long>> running,
      MonitorsByLine monitors,
      boolean monitorsOfUnmounted) {
    this.printed = printed;
    this.running = running;
    this.monitors = monitors;
    this.monitorsOfUnmounted = monitorsOfUnmounted;
    for (PrintedThread thread : printed.values()) {
      thread.carried().ifPresent(carried -> carriers.put(carried, thread.id()));
      thread.owned().forEach(lock -> owners.put(lock.address(), thread.id()));
    }
  }

  /**
   * Returns the threads of a heap dump, which names no monitors.
   *
   * @param feature of the Java that wrote it
   */
  static Threads ofHeap(MonitorsByLine monitors, int feature) {
    return new Threads(
        Map.of(), Optional.empty(), monitors, feature >= JavaRelease.UNPINNED_MONITORS);
  }

  /** Combines all that is known of a thread. */
  SeenThread seen(DumpedThread thread) {
    return isVirtual(thread) ? virtual(thread) : platform(thread);
  }

  private boolean isVirtual(DumpedThread thread) {
    if (thread.state().isPresent()) {
      return thread.virtual();
    }
    if (thread.frames().isEmpty()) {
      return printed.isEmpty()
          ? !WITHOUT_FRAMES.contains(thread.name())
          : !printed.containsKey(thread.id());
    }
    return thread.frames().getLast().is(VIRTUAL_THREAD, "run");
  }

  private SeenThread virtual(DumpedThread thread) {
    OptionalLong carrier = carrier(thread);
    Mount mount = mount(thread, carrier);
    Optional<PrintedThread> carries =
        carrier.isPresent()
            ? Optional.ofNullable(printed.get(carrier.getAsLong()))
            : Optional.empty();
    ThreadWait wait = wait(thread, mount, carries);
    List<HeldLock> held = new ArrayList<>(thread.held());
    if ((thread.state().isEmpty() || lacksMonitors(thread))
        && (mount == Mount.MOUNTED || monitorsOfUnmounted)) {
      held.addAll(monitors.held(thread.frames(), wait instanceof ThreadWait.MonitorEntry));
    }
    held.addAll(initializing(thread.frames()));
    return new SeenThread(
        thread.id(),
        thread.name(),
        true,
        thread.state().isPresent() ? thread.state() : state(thread, mount, wait),
        mount,
        carrier,
        thread.frames(),
        wait,
        held);
  }

  /**
   * Returns whether its state is known but its monitors are not, as in vtdiag's own dump of a Java
   * 21.
   */
  private static boolean lacksMonitors(DumpedThread thread) {
    return thread.state().isPresent() && !thread.monitorsComplete() && thread.held().isEmpty();
  }

  private OptionalLong carrier(DumpedThread thread) {
    return thread.state().isPresent()
        ? thread.carrier()
        : hasLeft(thread) || !carriers.containsKey(thread.id())
            ? OptionalLong.empty()
            : OptionalLong.of(carriers.get(thread.id()));
  }

  private Mount mount(DumpedThread thread, OptionalLong carrier) {
    if (carrier.isPresent()) {
      return Mount.MOUNTED;
    }
    if (thread.state().isPresent() || hasLeft(thread)) {
      return Mount.UNMOUNTED;
    }
    // Where the carriers are known it is on none of them, or was not a moment before.
    return printed.isEmpty() ? Mount.MOUNTED : Mount.NOT_KNOWN;
  }

  /**
   * Returns whether a thread of Java 21 has unmounted: its innermost frame is in {@code
   * VirtualThread}, or it has none yet.
   */
  private static boolean hasLeft(DumpedThread thread) {
    return thread.frames().isEmpty()
        || (thread.standsIn(VIRTUAL_THREAD)
            && !thread.frames().getFirst().method().equals("parkOnCarrierThread"));
  }

  /** Returns the state, as far as a stack of Java 21 tells. */
  private static Optional<Thread.State> state(DumpedThread thread, Mount mount, ThreadWait wait) {
    if (thread.frames().isEmpty()
        || (mount == Mount.UNMOUNTED
            && (thread.runs(VIRTUAL_THREAD, "tryYield")
                || thread.runs("java.lang.Thread", "yield")))) {
      return Optional.of(Thread.State.RUNNABLE);
    }
    if (mount == Mount.UNMOUNTED) {
      return Optional.empty(); // Its time may be up, or it may be unparked: then it could run.
    }
    return switch (wait) {
      case ThreadWait.MonitorEntry entry -> Optional.of(Thread.State.BLOCKED);
      case ThreadWait.ObjectWait object -> waiting(object.timed());
      case ThreadWait.Park park -> waiting(park.timed());
      case ThreadWait.Sleep sleep -> waiting(true);
      case ThreadWait.ClassInitialization awaited -> Optional.of(Thread.State.RUNNABLE);
      case ThreadWait.NativeCode code -> Optional.of(Thread.State.RUNNABLE);
      case ThreadWait.Nothing nothing -> Optional.of(Thread.State.RUNNABLE);
      case ThreadWait.NotKnown unknown -> Optional.empty();
    };
  }

  private static Optional<Thread.State> waiting(boolean timed) {
    return Optional.of(timed ? Thread.State.TIMED_WAITING : Thread.State.WAITING);
  }

  private ThreadWait wait(DumpedThread thread, Mount mount, Optional<PrintedThread> platform) {
    boolean timed =
        thread.state().isPresent()
            ? thread.state().get() == Thread.State.TIMED_WAITING
            : isTimed(thread);
    if (thread.awaitedClass().isPresent()) {
      return new ThreadWait.ClassInitialization(thread.awaitedClass().get());
    }
    if (thread.state().filter(Thread.State.BLOCKED::equals).isPresent()
        && thread.monitor().isEmpty()
        && !thread.frames().isEmpty()
        // The state of a carrier is that of the thread it carries.
        && (thread.virtual()
            || !thread.runs(VIRTUAL_THREAD, "runContinuation")
            || isBlockedCarrier(thread.frames()))) {
      return new ThreadWait.MonitorEntry(
          monitors
              .entered(thread.frames().getFirst())
              .orElse(
                  // Each monitor that Java code takes is named: the JVM itself takes this one.
                  thread.monitorsComplete()
                      ? LockRef.ofClassLoader(Optional.empty(), "")
                      : LockRef.anyOf("")));
    }
    if (thread.monitor().isPresent()) {
      LockRef lock = thread.monitor().get();
      return thread.state().filter(Thread.State.BLOCKED::equals).isPresent()
          ? new ThreadWait.MonitorEntry(lock)
          : new ThreadWait.ObjectWait(lock, timed);
    }
    if (thread.state().filter(Thread.State.RUNNABLE::equals).isEmpty()) {
      if (thread.frames().isEmpty() && mount == Mount.UNMOUNTED) {
        return new ThreadWait.Park(thread.parkBlocker(), thread.holder(), timed);
      }
      if (thread.runs("java.lang.Thread", "sleep")) {
        return new ThreadWait.Sleep();
      }
      if (isParked(thread)) {
        return new ThreadWait.Park(thread.parkBlocker(), thread.holder(), timed);
      }
      if (thread.standsIn("java.lang.Object") && thread.frames().getFirst().isNative()) {
        return new ThreadWait.ObjectWait(monitors.waitedOn(thread.frames()), timed);
      }
      if (thread.state().isPresent()) {
        return NOT_KNOWN;
      }
    }
    return mount == Mount.UNMOUNTED ? NOTHING : stands(thread, platform);
  }

  /** Finds the wait of a thread that calls itself runnable, or has no state. */
  private ThreadWait stands(DumpedThread thread, Optional<PrintedThread> platform) {
    Optional<String> awaited = platform.flatMap(PrintedThread::awaitedClass);
    if (awaited.isPresent()) {
      return new ThreadWait.ClassInitialization(awaited.get());
    }
    if (thread.frames().isEmpty() || platform.filter(this::isRunning).isPresent()) {
      return NOTHING;
    }
    if (thread.frames().getFirst().isNative()) {
      return new ThreadWait.NativeCode();
    }
    if (thread.state().isEmpty() && platform.isPresent()) {
      return monitors
          .entered(thread.frames().getFirst())
          .<ThreadWait>map(ThreadWait.MonitorEntry::new)
          .orElse(NOT_KNOWN);
    }
    // Without the processor time it cannot be told from one that computes.
    return platform.isPresent() && running.isPresent() ? NOT_KNOWN : NOTHING;
  }

  /** Returns whether a thread, or its carrier, used the processor between the snapshots. */
  boolean isRunning(SeenThread thread) {
    long id = thread.virtual() ? thread.carrier().orElse(-1) : thread.id();
    return running.filter(ids -> ids.contains(id)).isPresent();
  }

  private boolean isRunning(PrintedThread thread) {
    return running.filter(ids -> ids.contains(thread.id())).isPresent();
  }

  private static boolean isParked(DumpedThread thread) {
    return thread.parkBlocker().isPresent()
        || thread.standsIn(VIRTUAL_THREAD)
        || (thread.standsIn("jdk.internal.misc.Unsafe")
            && thread.frames().getFirst().method().equals("park"));
  }

  /** Returns whether the wait is timed. Java 21 does not say so, but has a method for each. */
  private static boolean isTimed(DumpedThread thread) {
    long waits =
        thread.frames().stream().filter(frame -> frame.is("java.lang.Object", "wait")).count();
    return thread.runs(VIRTUAL_THREAD, "parkNanos")
        || thread.runs("java.util.concurrent.locks.LockSupport", "parkNanos")
        || thread.runs("java.util.concurrent.locks.LockSupport", "parkUntil")
        || waits == 1; // wait() calls wait(0).
  }

  private SeenThread platform(DumpedThread thread) {
    Optional<PrintedThread> told = Optional.ofNullable(printed.get(thread.id()));
    if (thread.state().isPresent() || told.isEmpty()) {
      return platform(
          thread,
          thread.state(),
          thread.frames(),
          wait(thread, Mount.NOT_KNOWN, told),
          thread.held());
    }
    PrintedThread print = told.get();
    List<HeldLock> held = new ArrayList<>();
    for (PrintedThread.Locked locked : print.locked()) {
      held.add(new HeldLock(HeldLock.Kind.MONITOR, locked.object().reference(), locked.depth()));
    }
    return platform(thread, print.state(), print.frames(), wait(thread, print), held);
  }

  private static SeenThread platform(
      DumpedThread thread,
      Optional<Thread.State> state,
      List<Frame> frames,
      ThreadWait wait,
      List<HeldLock> monitors) {
    List<HeldLock> held = new ArrayList<>(monitors);
    held.addAll(initializing(frames));
    SeenThread seen =
        new SeenThread(
            thread.id(),
            thread.name(),
            false,
            state,
            Mount.NOT_KNOWN,
            OptionalLong.empty(),
            frames,
            wait,
            held);
    return isBlockedCarrier(frames) && waits(wait) ? seen.asBlockedCarrier() : seen;
  }

  /** Returns whether the frames are those that run virtual threads, but run none. */
  static boolean isBlockedCarrier(List<Frame> frames) {
    return frames.stream().skip(1).anyMatch(frame -> frame.is(VIRTUAL_THREAD, "runContinuation"))
        && frames.stream()
            .noneMatch(frame -> frame.type().name().equals("jdk.internal.vm.Continuation"));
  }

  private static boolean waits(ThreadWait wait) {
    return switch (wait) {
      case ThreadWait.MonitorEntry entry -> true;
      case ThreadWait.ObjectWait object -> true;
      case ThreadWait.Park park -> true;
      case ThreadWait.Sleep sleep -> true;
      case ThreadWait.ClassInitialization awaited -> true;
      case ThreadWait.NativeCode code -> false;
      case ThreadWait.Nothing nothing -> false;
      case ThreadWait.NotKnown unknown -> false;
    };
  }

  /** Finds the wait of a platform thread of Java 21. */
  private ThreadWait wait(DumpedThread thread, PrintedThread print) {
    if (print.waits().isEmpty()) {
      return wait(thread, Mount.NOT_KNOWN, Optional.of(print));
    }
    boolean timed = print.state().filter(Thread.State.TIMED_WAITING::equals).isPresent();
    LockRef lock = print.waits().get().object().reference();
    return switch (print.waits().get().how()) {
      case TO_LOCK -> new ThreadWait.MonitorEntry(lock);
      case ON_MONITOR -> new ThreadWait.ObjectWait(lock, timed);
      case PARKED -> {
        Long owner = owners.get(print.waits().get().object().address());
        yield new ThreadWait.Park(
            Optional.of(lock),
            owner == null ? new LockHolder.NotKnown() : new LockHolder.HeldBy(owner),
            timed);
      }
    };
  }

  /**
   * Returns the owners of the {@code java.util.concurrent} locks for which platform threads are
   * parked. The JSON and the print name the lock differently; a thread that waits for it is in
   * both.
   */
  Map<LockRef, Long> ownersOf(List<SeenThread> threads) {
    Map<LockRef, Long> known = new HashMap<>();
    for (SeenThread thread : threads) {
      PrintedThread print = thread.virtual() ? null : printed.get(thread.id());
      if (print != null
          && thread.waitsFor() instanceof ThreadWait.Park park
          && park.blocker().isPresent()
          && print.waits().isPresent()
          && owners.containsKey(print.waits().get().object().address())) {
        known.put(park.blocker().get(), owners.get(print.waits().get().object().address()));
      }
    }
    return known;
  }

  private static List<HeldLock> initializing(List<Frame> frames) {
    List<HeldLock> held = new ArrayList<>();
    for (int depth = 0; depth < frames.size(); depth++) {
      if (frames.get(depth).isClassInitializer()) {
        held.add(
            new HeldLock(
                HeldLock.Kind.CLASS_INITIALIZATION,
                LockRef.anyOf(frames.get(depth).type().name()),
                depth));
      }
    }
    return held;
  }
}
