package vtdiag.agent;

/**
 * The agent's threads. None keeps the JVM alive, and when it is out of memory they end with one
 * line for all of them, not with a stack trace each.
 */
final class AgentThread {
  private AgentThread() {}

  static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(null, guarded(task), name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }

  static void atExit(String name, Runnable task) {
    Runtime.getRuntime().addShutdownHook(new Thread(guarded(task), name));
  }

  /** The task, ending quietly when memory runs out. */
  static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (OutOfMemoryError e) {
        Log.outOfMemory();
      } catch (InternalError e) {
        // What java.lang.instrument makes of a full heap.
        Log.failure("a part of the agent ends", e);
      }
    };
  }
}
