package samples.waits;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The parts that the programs here share: many virtual threads that do one thing again and again.
 * Each program ends by itself and prints one line. Their options are system properties:
 *
 * <ul>
 *   <li>{@code seconds} (5): the length of the run
 *   <li>{@code threads}: the number of threads
 *   <li>{@code healthy=true}: the twin, in which no thread waits for what the program is about
 * </ul>
 */
final class Crowd {
  /** A task that is done again and again. */
  interface Task {
    void run() throws Exception;
  }

  static boolean healthy() {
    return Boolean.getBoolean("healthy");
  }

  /** Takes the time of a query, or of other work elsewhere. */
  static void work(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Has threads repeat it until the time is over, and prints how often they did it. */
  static void repeat(int threads, Task task) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("seconds", 5));
    LongAdder done = new LongAdder();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < Integer.getInteger("threads", threads); i++) {
      all.add(
          Thread.ofVirtual()
              .name("client-" + i)
              .start(
                  () -> {
                    while (System.nanoTime() < end) {
                      once(task);
                      done.increment();
                    }
                  }));
    }
    for (Thread thread : all) {
      thread.join();
    }
    System.out.println("done " + done.sum() + " times by " + all.size() + " threads");
  }

  private static void once(Task task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Crowd() {}
}
