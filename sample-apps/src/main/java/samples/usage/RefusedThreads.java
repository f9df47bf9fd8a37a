package samples.usage;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * 64 virtual threads on a scheduler of their own, which has one thread and room for eight: the
 * others are refused. (Java offers no such choice before 26; reflection does, and needs {@code
 * --add-opens=java.base/java.lang=ALL-UNNAMED}. The JDK's own scheduler refuses threads when its
 * queue cannot grow.)
 *
 * <p>The twin has room for all.
 */
public final class RefusedThreads {
  private static final int THREADS = 64;
  private static final int ROOM = 8;

  public static void main(String[] args) throws ReflectiveOperationException, InterruptedException {
    Constructor<?> make =
        Class.forName("java.lang.VirtualThread")
            .getDeclaredConstructor(Executor.class, String.class, int.class, Runnable.class);
    make.setAccessible(true);
    CountDownLatch full = new CountDownLatch(1);
    ThreadPoolExecutor scheduler =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            Setup.healthy() ? new LinkedBlockingQueue<>() : new ArrayBlockingQueue<>(ROOM));
    scheduler.execute(() -> await(full));
    List<Thread> started = new ArrayList<>();
    int refused = 0;
    for (int i = 0; i < THREADS; i++) {
      Thread thread = (Thread) make.newInstance(scheduler, "served-" + i, 0, (Runnable) () -> {});
      try {
        thread.start();
        started.add(thread);
      } catch (RejectedExecutionException e) {
        refused++;
      }
    }
    full.countDown();
    Setup.join(started);
    scheduler.shutdown();
    while (Setup.timeLeft()) {
      Setup.pause(50);
    }
    Setup.done(refused + " of " + THREADS + " threads refused");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private RefusedThreads() {}
}
