package io.github.vtdiag.agent.threads;

import java.lang.instrument.Instrumentation;
import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The private state of threads inside the JDK. To be created only once there are carriers: until
 * then the application may still set the properties that some of these classes read when they are
 * initialized.
 */
public final class ThreadInternals {
  /** The time within which a timer that has expired is handled. */
  private static final long OVERDUE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Instrumentation instrumentation;
  private final Field parkBlocker;
  private final Field carrier;
  private final Field state;
  private final Field parkPermit;
  private final Optional<Field> blockPermit;

  /** The timer that wakes a thread when its timeout expires, from JDK 25 on. */
  private final Optional<Field> timer;

  private final Field continuation;
  private final Field mountedNow;
  private final Field scopes;
  private final Method previousScope;
  private final Method threads;
  private final Method parentContainer;
  private final Method scopeOwner;

  /** The containers that threads of other containers have opened. */
  private final List<Object> nested = new ArrayList<>();

  private final Object root;
  private final Class<?> containerClass;
  private final Collection<?> registry;
  private final Field owner;
  private final Method synchronizerState;

  /** The synchronizer of a read-write lock. */
  private final Class<?> readers;

  /** Returns a number with more bits from JDK 25 on. */
  private final Method readersState;

  /** The number of bits below those that count the readers. */
  private final int sharedShift;

  private final Field firstReader;
  private final Field firstReaderHolds;
  private final Object unsafe;
  private final Method shouldBeInitialized;
  private final int parked;
  private final int running;
  private final int blocked;
  private final Set<Integer> queued;

  /** The state of a thread that could run, and has yielded to others. */
  public final int yielded;

  private final Set<Integer> timed;
  private final Set<Integer> pinned;

  private ThreadInternals(Instrumentation instrumentation) throws ReflectiveOperationException {
    this.instrumentation = instrumentation;
    open(instrumentation, "java.lang", "jdk.internal.vm", "jdk.internal.misc");
    open(instrumentation, "java.util.concurrent", "java.util.concurrent.locks");
    Class<?> virtual = Class.forName("java.lang.VirtualThread");
    this.parkBlocker = field(Thread.class, "parkBlocker");
    this.scopes = field(Thread.class, "headStackableScopes");
    this.carrier = field(virtual, "carrierThread");
    this.state = field(virtual, "state");
    this.parkPermit = field(virtual, "parkPermit");
    this.blockPermit = optional(virtual, "blockPermit");
    this.timer = optional(virtual, "timeoutTask");
    this.continuation = field(virtual, "cont");
    this.mountedNow = field(Class.forName("jdk.internal.vm.Continuation"), "mounted");
    this.parked = field(virtual, "PARKED").getInt(null);
    this.running = field(virtual, "RUNNING").getInt(null);
    Class<?> containers = Class.forName("jdk.internal.vm.ThreadContainers");
    this.containerClass = Class.forName("jdk.internal.vm.ThreadContainer");
    this.previousScope = method(Class.forName("jdk.internal.vm.StackableScope"), "previous");
    this.threads = method(containerClass, "threads");
    this.parentContainer = method(containerClass, "parent");
    this.scopeOwner = method(Class.forName("jdk.internal.vm.StackableScope"), "owner");
    this.root = method(containers, "root").invoke(null);
    this.registry = (Collection<?>) field(containers, "CONTAINER_REGISTRY").get(null);
    this.owner = field(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread");
    this.synchronizerState = method(AbstractQueuedSynchronizer.class, "getState");
    this.readers = Class.forName("java.util.concurrent.locks.ReentrantReadWriteLock$Sync");
    this.readersState = method(readers.getSuperclass(), "getState");
    this.sharedShift = field(readers, "SHARED_SHIFT").getInt(null);
    this.firstReader = field(readers, "firstReader");
    this.firstReaderHolds = field(readers, "firstReaderHoldCount");
    Class<?> unsafeClass = Class.forName("jdk.internal.misc.Unsafe");
    this.unsafe = method(unsafeClass, "getUnsafe").invoke(null);
    this.shouldBeInitialized = method(unsafeClass, "shouldBeInitialized", Class.class);
    Map<String, Integer> states = new HashMap<>();
    for (String name : List.of("STARTED", "UNPARKED", "YIELDED", "BLOCKED", "UNBLOCKED")) {
      // Before JDK 24 no virtual thread unmounts at a monitor.
      optional(virtual, name).ifPresent(each -> states.put(name, (Integer) value(each, null)));
    }
    Set<Integer> pinned = new HashSet<>();
    for (String name : List.of("PINNED", "TIMED_PINNED")) {
      optional(virtual, name).ifPresent(each -> pinned.add((Integer) value(each, null)));
    }
    this.pinned = Set.copyOf(pinned);
    Set<Integer> timed = new HashSet<>();
    for (String name : List.of("TIMED_PARKED", "TIMED_WAIT")) {
      if (timer.isPresent()) {
        timed.add(field(virtual, name).getInt(null));
      }
    }
    this.timed = Set.copyOf(timed);
    this.blocked = Optional.ofNullable(states.remove("BLOCKED")).orElse(Integer.MIN_VALUE);
    this.queued = Set.copyOf(states.values());
    this.yielded = states.getOrDefault("YIELDED", Integer.MIN_VALUE);
  }

  public static ThreadInternals open(Instrumentation instrumentation)
      throws ReflectiveOperationException {
    return new ThreadInternals(instrumentation);
  }

  /** Opens packages of the JDK to the agent. */
  public static void open(Instrumentation instrumentation, String... packages) {
    open(instrumentation, Object.class.getModule(), packages);
  }

  /** Opens the package of a class to the agent, whatever module it is in. */
  public void open(Class<?> type) {
    open(instrumentation, type);
  }

  /** Opens the package of a class to the agent, whatever module it is in. */
  public static void open(Instrumentation instrumentation, Class<?> type) {
    if (type.getModule().isNamed()) {
      open(instrumentation, type.getModule(), type.getPackageName());
    }
  }

  private static void open(Instrumentation instrumentation, Module module, String... packages) {
    Set<Module> agent = Set.of(ThreadInternals.class.getModule());
    Map<String, Set<Module>> opens = new HashMap<>();
    for (String name : packages) {
      opens.put(name, agent);
    }
    instrumentation.redefineModule(module, Set.of(), Map.of(), opens, Set.of(), Map.of());
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static Optional<Field> optional(Class<?> type, String name) {
    try {
      return Optional.of(field(type, name));
    } catch (NoSuchFieldException e) {
      return Optional.empty();
    }
  }

  private static Method method(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Method method = type.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }

  /** Calls back for each virtual thread that is alive. */
  public void eachVirtual(Consumer<Thread> each) {
    eachContainer(
        container ->
            members(
                container,
                thread -> {
                  if (thread.isVirtual()) {
                    each.accept(thread);
                  }
                }));
  }

  /** A part of the JVM's threads, such as those of an executor. */
  public record Container(
      Object object,
      String name,
      Optional<String> parent,
      OptionalLong owner,
      Consumer<Consumer<Thread>> members) {
    public void each(Consumer<Thread> each) {
      members.accept(each);
    }
  }

  /** Calls back for each container; platform threads are in the first. */
  public void each(Consumer<Container> each) {
    eachContainer(
        object -> {
          Object parent = invoke(parentContainer, object);
          Thread opener = (Thread) invoke(scopeOwner, object);
          each.accept(
              new Container(
                  object,
                  object.toString(),
                  Optional.ofNullable(parent).map(Object::toString),
                  opener == null ? OptionalLong.empty() : OptionalLong.of(opener.threadId()),
                  thread -> members(object, thread)));
        });
  }

  private void eachContainer(Consumer<Object> each) {
    nested.clear();
    each.accept(root);
    for (Object reference : registry) {
      Object container = ((Reference<?>) reference).get();
      if (container != null) {
        each.accept(container);
      }
    }
    // The containers of structured scopes are known only to the threads that opened them.
    for (int i = 0; i < nested.size(); i++) {
      each.accept(nested.get(i));
    }
    nested.clear();
  }

  @SuppressWarnings("unchecked")
  private void members(Object container, Consumer<Thread> each) {
    Stream<Thread> members = (Stream<Thread>) invoke(threads, container);
    members.forEach(
        thread -> {
          if (value(scopes, thread) != null) {
            addScopes(thread);
          }
          each.accept(thread);
        });
  }

  private static Object invoke(Method method, Object object) {
    try {
      return method.invoke(object);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private void addScopes(Thread thread) {
    try {
      Object scope = scopes.get(thread);
      while (scope != null) {
        if (containerClass.isInstance(scope) && !nested.contains(scope)) {
          nested.add(scope);
        }
        scope = previousScope.invoke(scope);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object value(Field field, Object object) {
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns what the thread says it is parked for, or null. */
  public Object blocker(Thread thread) {
    return value(parkBlocker, thread);
  }

  /** Returns the carrier of a virtual thread, or null. */
  public Thread carrier(Thread thread) {
    return (Thread) value(carrier, thread);
  }

  /** Returns the JDK's number for the state of a virtual thread. */
  public int state(Thread thread) {
    return (int) value(state, thread);
  }

  /** Returns whether that is the state of an unmounted thread that waits for a monitor. */
  boolean isBlocked(int number) {
    return number == blocked;
  }

  /** Returns whether that is the state of an unmounted thread that waits until it is unparked. */
  boolean isParked(int number) {
    return number == parked;
  }

  /**
   * Returns whether a thread in that state was told to go on. The state shows it a moment later,
   * unless the JDK has lost the wake-up.
   */
  public boolean isWoken(Thread thread, int number) {
    try {
      return isParked(number)
          ? parkPermit.getBoolean(thread)
          : isBlocked(number) && blockPermit.isPresent() && blockPermit.get().getBoolean(thread);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns whether a carrier is about to mount it, or has just unmounted it. Asking for its stack
   * then blocks until that is done, and forever if the carrier is blocked.
   */
  boolean isBetween(Thread thread) {
    return thread.isVirtual() && state(thread) == running && carrier(thread) == null;
  }

  /**
   * Returns whether it runs on that carrier, or waits there pinned, and is not about to unmount.
   */
  boolean isRunningIn(Thread thread, Thread on) {
    int now = state(thread);
    return (now == running || pinned.contains(now))
        && (boolean) value(mountedNow, value(continuation, thread))
        && on.equals(carrier(thread));
  }

  /** Returns whether that is the state of a thread that could run. */
  public boolean isQueued(int number) {
    return queued.contains(number);
  }

  /**
   * Returns whether its timeout expired a while ago. From JDK 25 on a carrier has to end such a
   * wait: it lasts as long as all carriers are monopolized.
   */
  boolean isOverdue(Thread thread, int number) {
    return timed.contains(number)
        && value(timer.orElseThrow(), thread) instanceof Delayed delayed
        && delayed.getDelay(TimeUnit.NANOSECONDS) < -OVERDUE_NANOS;
  }

  /** Returns the owner, if it is a lock that knows its owner; else null. */
  public Thread owner(Object blocker) {
    if (!(blocker instanceof AbstractOwnableSynchronizer lock)) {
      return null;
    }
    Thread exclusive = (Thread) value(owner, lock);
    return exclusive == null && readers.isInstance(lock) ? soleReader(lock) : exclusive;
  }

  /** Returns the thread that is the only reader of a read lock, or null. */
  private Thread soleReader(AbstractOwnableSynchronizer lock) {
    long shared = ((Number) invoke(readersState, lock)).longValue() >>> sharedShift;
    return shared > 0 && shared == ((Number) value(firstReaderHolds, lock)).longValue()
        ? (Thread) value(firstReader, lock)
        : null;
  }

  /** Returns whether this lock is free; only for locks whose state is nothing but their owner. */
  boolean isFree(AbstractQueuedSynchronizer lock) throws ReflectiveOperationException {
    return TimedPlaces.isHandedOver(lock)
        && owner(lock) == null
        && (int) synchronizerState.invoke(lock) == 0;
  }

  /** Returns how many permits of that semaphore are left; negative if it is no semaphore. */
  public int permits(Object lock) {
    return lock instanceof AbstractQueuedSynchronizer
            && lock.getClass().getName().startsWith("java.util.concurrent.Semaphore$")
        ? Math.max(0, (int) invoke(synchronizerState, lock))
        : -1;
  }

  /** Returns whether a class is not initialized yet, or is just being initialized. */
  boolean isUninitialized(Class<?> type) throws ReflectiveOperationException {
    return (boolean) shouldBeInitialized.invoke(unsafe, type);
  }
}
