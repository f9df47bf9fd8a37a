package io.github.vtdiag.agent.jvm;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The agent's threads. None keeps the JVM alive. When memory runs out, they end with one line for
 * all of them, not with a stack trace each.
 */
public final class AgentThread {
  /** The time that the agent waits for its threads when it leaves. */
  private static final long PATIENCE_SECONDS = 10;

  /**
   * The group of the JVM's own threads. A program may count the threads of its groups, interrupt
   * them or wait for their end; JFR's threads are in the group of the one that starts it.
   */
  public static final ThreadGroup GROUP = root(Thread.currentThread().getThreadGroup());

  /** The threads that have not ended. */
  private static final Set<Thread> RUNNING = ConcurrentHashMap.newKeySet();

  private AgentThread() {}

  private static ThreadGroup root(ThreadGroup group) {
    return group.getParent() == null ? group : root(group.getParent());
  }

  /**
   * Handles a failure that catching does not stop: with a full heap the JVM may fail to find a
   * handler.
   */
  private static void ended(Thread thread, Throwable failure) {
    Log.failure("a part of the agent ends", failure);
  }

  public static Thread daemon(String name, Runnable task) {
    Runnable listed =
        () -> {
          RUNNING.add(Thread.currentThread());
          try {
            task.run();
          } finally {
            RUNNING.remove(Thread.currentThread());
          }
        };
    Thread thread = new Thread(GROUP, guarded(listed), name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.setUncaughtExceptionHandler(AgentThread::ended);
    return thread;
  }

  /** Returns whether a thread is one of the agent's. */
  public static boolean is(Thread thread) {
    return RUNNING.contains(thread);
  }

  public static Thread atExit(String name, Runnable task) {
    Thread hook = new Thread(GROUP, guarded(task), name);
    hook.setUncaughtExceptionHandler(AgentThread::ended);
    Runtime.getRuntime().addShutdownHook(hook);
    return hook;
  }

  /**
   * Ends all threads but the calling one.
   *
   * @return the names of those that did not end in time
   */
  public static List<String> endAll() throws InterruptedException {
    List<Thread> others =
        RUNNING.stream().filter(thread -> !thread.equals(Thread.currentThread())).toList();
    others.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    for (Thread thread : others) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      thread.join(Math.max(1, left));
    }
    return others.stream().filter(Thread::isAlive).map(Thread::getName).toList();
  }

  /** Returns the task, ending quietly when memory runs out. */
  public static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (OutOfMemoryError e) {
        Log.outOfMemory();
      } catch (InternalError | LinkageError e) {
        // java.lang.instrument turns a full heap into such an error. So does the JVM for a class
        // that was initialized while the heap was full.
        Log.failure("a part of the agent ends", e);
      }
    };
  }
}
