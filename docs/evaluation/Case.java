/** What the programs of the evaluation share. The property seconds says how long they run. */
final class Case {
  private static final long NANOS = (long) (Double.parseDouble(System.getProperty("seconds")) * 1e9);
  private static final long BEGIN = System.nanoTime();

  /** A piece of work. */
  interface Task {
    void run() throws Exception;
  }

  private Case() {}

  /** Sixteen virtual threads do this again and again until the time is over. */
  static void repeat(Task task) throws Exception {
    Thread[] threads = new Thread[16];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (isRunning()) {
                      run(task);
                    }
                  });
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Each of these runs in a virtual thread of its own; the program is stopped at the end of the time. */
  static void standStill(Task... tasks) throws Exception {
    for (Task task : tasks) {
      start(task, 1);
    }
    waitForTheEnd();
  }

  /** So many virtual threads do this once. */
  static void start(Task task, int count) {
    for (int i = 0; i < count; i++) {
      Thread.ofVirtual().start(() -> run(task));
    }
  }

  /** Work comes every two seconds. */
  static void idle(Task work) throws Exception {
    while (isRunning()) {
      start(work, 1);
      Thread.sleep(2_000);
    }
    System.exit(0);
  }

  private static void waitForTheEnd() throws Exception {
    while (isRunning()) {
      Thread.sleep(100);
    }
    System.exit(0);
  }

  private static boolean isRunning() {
    return System.nanoTime() - BEGIN < NANOS;
  }

  private static void run(Task task) {
    try {
      task.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
