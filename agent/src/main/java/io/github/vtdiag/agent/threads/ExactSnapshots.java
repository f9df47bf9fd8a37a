package io.github.vtdiag.agent.threads;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The JDK's own snapshot of one thread, which has its monitors as objects (JDK 25). */
final class ExactSnapshots {
  private final Method of;
  private final Method state;
  private final Method stack;
  private final Method carrier;
  private final Method parkBlocker;
  private final Method blockedOn;
  private final Method waitingOn;
  private final Method ownsMonitors;
  private final Method ownedMonitorsAt;

  /** One thread; what it waits for and what it holds as objects. */
  record Exact(
      Thread.State state,
      List<StackTraceElement> stack,
      Thread carrier,
      Object parkBlocker,
      Object blockedOn,
      Object waitingOn,
      List<Owned> owned) {}

  record Owned(Object monitor, int depth) {}

  private ExactSnapshots(Class<?> type) throws ReflectiveOperationException {
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

  private static Method method(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Method method = type.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }

  /** Empty on a JDK that has no such thing; the package must be open. */
  static Optional<ExactSnapshots> find() {
    try {
      return Optional.of(new ExactSnapshots(Class.forName("jdk.internal.vm.ThreadSnapshot")));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Empty if the thread has ended. */
  Optional<Exact> look(Thread thread) throws ReflectiveOperationException {
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
          // Null: a lock that the compiler has removed, which nobody can wait for.
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
