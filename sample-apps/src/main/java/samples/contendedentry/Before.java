package samples.contendedentry;

import samples.Load;
import samples.SlowService;

/** Virtual threads wait to enter a monitor that a platform thread holds. */
public final class Before {
  static final class Routes {
    private int version;

    /** Returns the version. Quick: it never waits while it holds the monitor. */
    synchronized int version() {
      return version;
    }

    /** Reloads the routes. Slow, but only ever called by a platform thread, which may wait. */
    synchronized void reload() throws InterruptedException {
      Thread.sleep(SlowService.DELAY); // stands for reading a file
      version++;
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
    System.out.println("before: " + result);
  }

  private Before() {}
}
