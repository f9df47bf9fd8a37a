package samples.fuzz.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/** Threads of generated programs. */
public final class Work {
  /** What a thread does. */
  public interface Task {
    /** One round, with a number that chooses its way. */
    void run(int k) throws Exception;
  }

  private static final int OVERFLOWS = 20;
  private static final long STACK = 256 << 10;
  private static final long PATIENCE_MILLIS = 20_000;

  private Work() {}

  /**
   * Runs one task in several threads at once.
   *
   * @return the exceptions that it threw, which must be the same in every run
   */
  public static String run(int platform, int virtual, int rounds, Task task)
      throws InterruptedException {
    Task[] tasks = new Task[platform + virtual];
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] =
          thread -> {
            for (int k = 0; k < rounds; k++) {
              task.run(k);
            }
          };
    }
    return each(virtual, tasks);
  }

  /** Runs each task in a thread of its own, so many of them virtual, with the number of its own. */
  public static String each(int virtual, Task... tasks) throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    Set<String> thrown = new TreeSet<>();
    String[] failures = new String[tasks.length];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < tasks.length; i++) {
      int number = i;
      Runnable body =
          () -> {
            try {
              start.await();
              tasks[number].run(number);
            } catch (Throwable e) {
              failures[number] = e + " at " + (e.getStackTrace().length > 0);
            }
          };
      threads.add(
          i < virtual
              ? Thread.ofVirtual().unstarted(body)
              : Thread.ofPlatform().daemon().unstarted(body));
    }
    threads.forEach(Thread::start);
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    for (String failure : failures) {
      if (failure != null) {
        thrown.add(failure);
      }
    }
    return thrown.isEmpty() ? "" : thrown.toString();
  }

  /**
   * Runs a recursion without a bound until the stack overflows, again and again and each time with
   * another stack.
   *
   * @return how it ended: whether one of them waits for ever, and for what else one failed
   */
  public static String overflows(Runnable recursion) throws InterruptedException {
    Set<String> ends = new TreeSet<>();
    for (int i = 0; i < OVERFLOWS; i++) {
      int above = i * 3;
      String[] end = {"waits"};
      Thread thread =
          new Thread(
              null,
              () -> {
                try {
                  below(above, recursion);
                  end[0] = "returns";
                } catch (Throwable e) {
                  end[0] = e.getClass().getSimpleName();
                }
              },
              "deep",
              STACK + i * 4096L);
      thread.setDaemon(true);
      thread.start();
      thread.join(PATIENCE_MILLIS);
      ends.add(thread.isAlive() ? "waits" : end[0]);
      if (thread.isAlive()) {
        break;
      }
    }
    return ends.toString();
  }

  private static void below(int frames, Runnable run) {
    if (frames == 0) {
      run.run();
    } else {
      below(frames - 1, run);
    }
  }
}
