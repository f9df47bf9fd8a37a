package samples.classinitializer;

import samples.Load;
import samples.SlowService;

/** A plug-in whose settings are fetched by a class initializer. */
public final class Before {
  /** Its first use of the settings runs their initializer. */
  public static final class Plugin implements Runnable {
    @Override
    public void run() {
      if (Settings.GREETING.isEmpty()) {
        throw new IllegalStateException("no greeting");
      }
    }
  }

  /** Settings that are fetched at their first use. */
  static final class Settings {
    static final String GREETING = fetch();

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
        "before: " + load.measure(thread -> PluginLoader.load(classes, Plugin.class).run()));
  }

  private Before() {}
}
