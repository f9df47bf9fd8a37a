package samples.contendedentry;

import java.util.concurrent.locks.ReentrantLock;
import samples.Load;
import samples.SlowService;

/** The same with a lock: a thread that waits for it unmounts from its carrier. */
public final class After {
  static final class Routes {
    private final ReentrantLock lock = new ReentrantLock();
    private int version;

    /** Returns the version. Quick: it never waits while it holds the lock. */
    int version() {
      lock.lock();
      try {
        return version;
      } finally {
        lock.unlock();
      }
    }

    /** Reloads the routes. Slow, but only ever called by a platform thread, which may wait. */
    void reload() throws InterruptedException {
      lock.lock();
      try {
        Thread.sleep(SlowService.DELAY); // stands for reading a file
        version++;
      } finally {
        lock.unlock();
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    var routes = new Routes();
    Thread reloader =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    while (true) {
                      routes.reload();
                      Thread.sleep(1);
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    Load.Result result =
        load.measure(
            thread -> {
              // One thread in eight asks for the routes; the others have nothing to do with them.
              if (thread % 8 == 0) {
                routes.version();
              }
              Thread.sleep(5); // stands for the request's own work
            });
    reloader.interrupt();
    System.out.println("after: " + result);
  }

  private After() {}
}
