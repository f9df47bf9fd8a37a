package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.LockHolder;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** The threads for whose results or ends others are parked, as far as the JDK's own fields tell. */
final class AwaitedThreads {
  private static final Class<?> LATCH = latch();

  private final ReflectedField runner = ReflectedField.of(FutureTask.class, "runner");

  /** The latch at which others wait for the end of a virtual thread; null if none does. */
  private final ReflectedField termination =
      ReflectedField.of("java.lang.VirtualThread", "termination");

  private final ReflectedField sync = ReflectedField.of(CountDownLatch.class, "sync");

  /** The joined threads that wait themselves, by what those that join them are parked for. */
  private IdentityHashMap<Object, Thread> joined = new IdentityHashMap<>();

  private static Class<?> latch() {
    try {
      return Class.forName(CountDownLatch.class.getName() + "$Sync");
    } catch (ClassNotFoundException e) {
      // Another JDK: no thread is seen to be joined.
      return Void.class;
    }
  }

  /** Forgets the joined threads of the scan before. */
  void startScan() {
    joined = new IdentityHashMap<>();
  }

  /** Remembers a virtual thread that waits, if another one joins it. */
  void waits(Thread thread) {
    Object latch = sync.value(termination.value(thread));
    if (latch != null) {
      joined.put(latch, thread);
    }
  }

  /** Returns whether some thread that waits is joined. */
  boolean anyJoined() {
    return !joined.isEmpty();
  }

  boolean isJoin(Object blocker) {
    return joined.containsKey(blocker);
  }

  /** Returns whether a thread that is parked for this may wait for a task or a thread's end. */
  static boolean mayAwait(Object blocker) {
    return blocker instanceof FutureTask<?> || LATCH.isInstance(blocker);
  }

  /** Returns the thread that runs that task, or that is joined; null if neither is known. */
  Thread of(Object blocker) {
    Thread thread = blocker instanceof FutureTask<?> ? (Thread) runner.value(blocker) : null;
    return thread == null ? joined.get(blocker) : thread;
  }

  /** Returns the same as what ends a park. */
  Optional<LockHolder> holder(Object blocker) {
    return Optional.ofNullable(of(blocker))
        .map(
            thread ->
                isJoin(blocker)
                    ? new LockHolder.EndOf(thread.threadId())
                    : new LockHolder.RunBy(thread.threadId()));
  }
}
