package io.github.vtdiag.agent.threads;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Prevents an unmounted virtual thread from being mounted while it is read, as {@code
 * VirtualThread.tryGetStackTrace} of JDK 25 does. {@code ThreadSnapshot} of that release does not
 * do so, and crashes the JVM if the thread is mounted meanwhile (JDK-8364343).
 */
final class Unmounted {
  private final VarHandle state;
  private final VarHandle parkPermit;
  private final VarHandle blockPermit;
  private final VarHandle notified;
  private final VarHandle interrupted;

  /** Submits the thread to its scheduler. */
  private final MethodHandle submit;

  private final int suspended;
  private final int unparked;
  private final int unblocked;
  private final int yielded;
  private final int parked;
  private final int timedParked;
  private final int blocked;
  private final int waiting;
  private final int timedWaiting;

  /**
   * @throws ReflectiveOperationException if virtual threads are not implemented as in JDK 25
   */
  Unmounted() throws ReflectiveOperationException {
    Class<?> virtual = Class.forName("java.lang.VirtualThread");
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(virtual, MethodHandles.lookup());
    this.state = lookup.findVarHandle(virtual, "state", int.class);
    this.parkPermit = lookup.findVarHandle(virtual, "parkPermit", boolean.class);
    this.blockPermit = lookup.findVarHandle(virtual, "blockPermit", boolean.class);
    this.notified = lookup.findVarHandle(virtual, "notified", boolean.class);
    this.interrupted =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
            .findVarHandle(Thread.class, "interrupted", boolean.class);
    this.submit =
        lookup
            .findVirtual(virtual, "submitRunContinuation", MethodType.methodType(void.class))
            .asType(MethodType.methodType(void.class, Thread.class));
    this.suspended = number(lookup, virtual, "SUSPENDED");
    this.unparked = number(lookup, virtual, "UNPARKED");
    this.unblocked = number(lookup, virtual, "UNBLOCKED");
    this.yielded = number(lookup, virtual, "YIELDED");
    this.parked = number(lookup, virtual, "PARKED");
    this.timedParked = number(lookup, virtual, "TIMED_PARKED");
    this.blocked = number(lookup, virtual, "BLOCKED");
    this.waiting = number(lookup, virtual, "WAIT");
    this.timedWaiting = number(lookup, virtual, "TIMED_WAIT");
  }

  private static int number(MethodHandles.Lookup lookup, Class<?> virtual, String name)
      throws ReflectiveOperationException {
    return (int) lookup.findStaticVarHandle(virtual, name, int.class).get();
  }

  /**
   * Reads a thread.
   *
   * @param thread a virtual thread
   * @return empty, with nothing read, if it has a carrier, is about to have one, or has not begun
   */
  <T> Optional<T> read(Thread thread, Callable<T> reading) throws ReflectiveOperationException {
    int initial = (int) state.getVolatile(thread);
    if (!mayBeKept(initial) || !state.compareAndSet(thread, initial, initial | suspended)) {
      return Optional.empty();
    }
    try {
      return Optional.of(reading.call());
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      state.setVolatile(thread, initial);
      if (wasToGoOn(thread, initial)) {
        submit(thread);
      }
    }
  }

  private boolean mayBeKept(int number) {
    return number == parked
        || number == timedParked
        || number == blocked
        || number == waiting
        || number == timedWaiting
        || isQueued(number);
  }

  private boolean isQueued(int number) {
    return number == unparked || number == unblocked || number == yielded;
  }

  /** Returns whether the thread was told to go on while it could not: it will not be told again. */
  private boolean wasToGoOn(Thread thread, int initial) {
    if (isQueued(initial)) {
      // Its task may have run meanwhile, and done nothing.
      return true;
    }
    if (initial == parked || initial == timedParked) {
      return (boolean) parkPermit.getVolatile(thread)
          && state.compareAndSet(thread, initial, unparked);
    }
    boolean told =
        initial == blocked
            ? (boolean) blockPermit.getVolatile(thread)
            : (boolean) notified.getVolatile(thread) || (boolean) interrupted.getVolatile(thread);
    return told && state.compareAndSet(thread, initial, unblocked);
  }

  private void submit(Thread thread) {
    try {
      submit.invokeExact(thread);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
