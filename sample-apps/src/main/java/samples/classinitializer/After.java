package samples.classinitializer;

import java.util.concurrent.locks.ReentrantLock;
import samples.Load;
import samples.SlowService;

/** The same plug-in; its settings are fetched by a method, after the class is initialized. */
public final class After {
  /** Its first use of the settings fetches them. */
  public static final class Plugin implements Runnable {
    @Override
    public void run() {
      if (Settings.greeting().isEmpty()) {
        throw new IllegalStateException("no greeting");
      }
    }
  }

  /**
   * Settings that are fetched once, under a lock. The holder class idiom would not help: it waits
   * in an initializer too, its own.
   */
  static final class Settings {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static volatile String greeting;

    static String greeting() {
      String known = greeting;
      if (known != null) {
        return known;
      }
      LOCK.lock();
      try {
        if (greeting == null) {
          greeting = fetch();
        }
        return greeting;
      } finally {
        LOCK.unlock();
      }
    }

    private static String fetch() {
      try {
        Thread.sleep(SlowService.DELAY); // stands for a call to the configuration service
        return "hello";
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    var classes = PluginLoader.read(Plugin.class, Settings.class);
    System.out.println(
        "after: " + load.measure(thread -> PluginLoader.load(classes, Plugin.class).run()));
  }

  private After() {}
}
