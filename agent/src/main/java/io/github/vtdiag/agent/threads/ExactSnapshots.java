package io.github.vtdiag.agent.threads;

import io.github.vtdiag.watch.CarrierStates;
import io.github.vtdiag.watch.Carriers;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Stream;

/**
 * The JDK's own snapshot of one thread, which has its monitors as objects (JDK 25).
 *
 * <p>On JDK 25, a snapshot of a virtual thread that is just being mounted or unmounted crashes the
 * JVM (JDK-8364343; later releases have the fix). There only two kinds of threads are read.
 * Unmounted threads are kept from being mounted meanwhile. Mounted ones must have stayed on their
 * carrier and be blocked or in native code.
 */
public final class ExactSnapshots {
  /** A method that {@code VirtualThread} has since the fix. */
  private static final String FIX = "startTransition";

  private final Method of;
  private final Method state;
  private final Method stack;
  private final Method carrier;
  private final Method parkBlocker;
  private final Method blockedOn;
  private final Method waitingOn;
  private final Method ownsMonitors;
  private final Method ownedMonitorsAt;
  private final ThreadInternals internals;
  private final CarrierStates carriers;

  /** Empty where every thread can be read at any time. */
  private final Optional<Unmounted> unmounted;

  /** One thread, with what it waits for and what it holds as objects. */
  public record Exact(
      Thread.State state,
      List<StackTraceElement> stack,
      Thread carrier,
      Object parkBlocker,
      Object blockedOn,
      Object waitingOn,
      List<Owned> owned) {}

  record Owned(Object monitor, int depth) {}

  private ExactSnapshots(Class<?> type, ThreadInternals internals, CarrierStates carriers)
      throws ReflectiveOperationException {
    this.internals = internals;
    this.carriers = carriers;
    this.unmounted =
        hasMethod(Class.forName("java.lang.VirtualThread"), FIX)
            ? Optional.empty()
            : Optional.of(new Unmounted());
    initializeLocks();
    this.of = method(type, "of", Thread.class);
    this.state = method(type, "threadState");
    this.stack = method(type, "stackTrace");
    this.carrier = method(type, "carrierThread");
    this.parkBlocker = method(type, "parkBlocker");
    this.blockedOn = method(type, "blockedOn");
    this.waitingOn = method(type, "waitingOn");
    this.ownsMonitors = method(type, "ownsMonitors");
    this.ownedMonitorsAt = method(type, "ownedMonitorsAt", int.class);
  }

  /** Initializes a class of which HotSpot creates objects without initializing it (JDK-8378071). */
  private static void initializeLocks() {
    try {
      Class.forName("jdk.internal.vm.ThreadSnapshot$ThreadLock", true, null);
    } catch (ClassNotFoundException e) {
      // A JDK that creates no such objects.
    }
  }

  private static Method method(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Method method = type.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }

  private static boolean hasMethod(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods()).anyMatch(each -> each.getName().equals(name));
  }

  /** Returns empty on a JDK without such snapshots; the package must be open. */
  public static Optional<ExactSnapshots> find(ThreadInternals internals, CarrierStates carriers) {
    try {
      return Optional.of(
          new ExactSnapshots(Class.forName("jdk.internal.vm.ThreadSnapshot"), internals, carriers));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a thread.
   *
   * @param stood whether it was seen to stay on its carrier, or as a carrier, without using
   *     processor time
   * @return empty if it has ended, or must not be read now
   */
  public Optional<Exact> look(Thread thread, boolean stood) throws ReflectiveOperationException {
    if (unmounted.isEmpty() || (!thread.isVirtual() && !Carriers.isCarrier(thread))) {
      return snapshot(thread);
    }
    if (!thread.isVirtual()) {
      return stood && Carriers.isOfJdk(thread) && Carriers.isBlocked((ForkJoinWorkerThread) thread)
          ? snapshot(thread)
          : Optional.empty();
    }
    Thread carrier = internals.carrier(thread);
    if (carrier == null) {
      // Reading a woken thread would make it go on, even if the JDK had lost the wake-up.
      return internals.isWoken(thread, internals.state(thread))
          ? Optional.empty()
          : lookAtWoken(thread);
    }
    return stood && internals.isRunningIn(thread, carrier) && waits(carrier)
        ? snapshot(thread)
        : Optional.empty();
  }

  /**
   * Reads an unmounted thread that was woken. If the JDK had lost the wake-up, it goes on now.
   *
   * @return empty if it has ended, or has gone on already
   */
  Optional<Exact> lookAtWoken(Thread thread) throws ReflectiveOperationException {
    return unmounted.isEmpty()
        ? snapshot(thread)
        : unmounted.get().read(thread, () -> snapshot(thread)).flatMap(read -> read);
  }

  /** Returns whether it stays where it is until something else makes it go on. */
  private boolean waits(Thread carrier) {
    return switch (carrier.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING -> true;
      case RUNNABLE -> carriers.isInNative(carrier);
      case NEW, TERMINATED -> false;
    };
  }

  private Optional<Exact> snapshot(Thread thread) throws ReflectiveOperationException {
    Object snapshot = of.invoke(null, thread);
    if (snapshot == null) {
      return Optional.empty();
    }
    Thread.State now = (Thread.State) state.invoke(snapshot);
    StackTraceElement[] frames = (StackTraceElement[]) stack.invoke(snapshot);
    boolean waits = now == Thread.State.WAITING || now == Thread.State.TIMED_WAITING;
    List<Owned> owned = new ArrayList<>();
    if ((boolean) ownsMonitors.invoke(snapshot)) {
      for (int depth = 0; depth < frames.length; depth++) {
        for (Object monitor : ((Stream<?>) ownedMonitorsAt.invoke(snapshot, depth)).toList()) {
          // Null: a lock that the compiler has removed, which no thread can wait for.
          if (monitor != null) {
            owned.add(new Owned(monitor, depth));
          }
        }
      }
    }
    return Optional.of(
        new Exact(
            now,
            List.of(frames),
            (Thread) carrier.invoke(snapshot),
            parkBlocker.invoke(snapshot),
            now == Thread.State.BLOCKED ? blockedOn.invoke(snapshot) : null,
            waits ? waitingOn.invoke(snapshot) : null,
            owned));
  }
}
