package samples.hangs;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/**
 * Two class loaders of plug-ins that search each other, as those of older application servers and
 * build tools did. They are not parallel capable, so each loads with its own monitor held; two
 * virtual threads come from both sides.
 *
 * <p>In the twin the second loader does not search the first.
 */
public final class TwoLoaders {
  private static final CountDownLatch BOTH_LOAD = new CountDownLatch(2);

  /** A loader that knows one class, and asks the other loader for the rest. */
  static final class PluginLoader extends ClassLoader {
    private final String own;
    private PluginLoader neighbour;

    PluginLoader(String name, String own) {
      super(name, null);
      this.own = own;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.equals(own)) {
        Story.hold();
        return define(name);
      }
      if (neighbour == null) {
        return ClassLoader.getSystemClassLoader().loadClass(name);
      }
      BOTH_LOAD.countDown();
      Story.await(BOTH_LOAD);
      return neighbour.loadClass(name);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = TwoLoaders.class.getClassLoader().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** A class of the first plug-in. */
  static final class Orders {}

  /** A class of the second plug-in. */
  static final class Invoices {}

  public static void main(String[] args) throws InterruptedException {
    Story.carriers(4);
    var one = new PluginLoader("one", Orders.class.getName());
    var two = new PluginLoader("two", Invoices.class.getName());
    one.neighbour = two;
    if (Story.healthy()) {
      BOTH_LOAD.countDown();
    } else {
      two.neighbour = one;
    }
    Thread first = Story.start("first", () -> load(one, Invoices.class.getName()));
    Thread second = Story.start("second", () -> load(two, Orders.class.getName()));
    if (!Story.healthy()) {
      // Past the latch each comes to the monitor of the loader that the other holds.
      BOTH_LOAD.await();
      Story.until(() -> Story.wait(Thread.State.BLOCKED, first, second));
      Story.standsStill("two threads, two class loaders, each holds one and needs the other");
    }
    Story.ended(first, second);
  }

  private static void load(ClassLoader loader, String name) {
    try {
      loader.loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private TwoLoaders() {}
}
