package samples.objectwait;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import samples.Load;
import samples.SlowService;

/** The same with a condition of a lock. */
public final class After {
  static final class Reply {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition delivered = lock.newCondition();
    private String text;

    void deliver(String text) {
      lock.lock();
      try {
        this.text = text;
        delivered.signalAll();
      } finally {
        lock.unlock();
      }
    }

    String await() throws InterruptedException {
      lock.lock();
      try {
        while (text == null) {
          delivered.await();
        }
        return text;
      } finally {
        lock.unlock();
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    // Stands for the platform thread that reads the replies of a shared connection.
    try (ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor()) {
      System.out.println(
          "after: "
              + load.measure(
                  thread -> {
                    var reply = new Reply();
                    long delay = SlowService.DELAY.toMillis();
                    Future<?> unused =
                        reader.schedule(() -> reply.deliver("ok"), delay, TimeUnit.MILLISECONDS);
                    reply.await();
                  }));
    }
  }

  private After() {}
}
