package samples.objectwait;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import samples.Load;
import samples.SlowService;

/** A caller waits with {@code Object.wait} until another thread delivers the reply. */
public final class Before {
  static final class Reply {
    private String text;

    synchronized void deliver(String text) {
      this.text = text;
      notifyAll();
    }

    synchronized String await() throws InterruptedException {
      while (text == null) {
        wait();
      }
      return text;
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    // Stands for the platform thread that reads the replies of a shared connection.
    try (ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor()) {
      System.out.println(
          "before: "
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

  private Before() {}
}
