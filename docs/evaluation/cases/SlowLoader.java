/// story: A class loader fetches classes from afar, and the JVM calls it to link a class.
/// java: 21 25
/// kind: pin
/// holder: SlowLoader$Remote.loadClass SlowLoader$Plugin.run
/// truth: the JVM calls loadClass from its own frame, which no virtual thread can leave
/// advice: pattern
/// proof: run Fixed
import java.io.InputStream;

class SlowLoader {
  public static class Base {}

  public static class Plugin implements Runnable {
    @Override
    public void run() {
      new Base();
    }
  }

  static class Remote extends ClassLoader {
    Remote() {
      super(SlowLoader.class.getClassLoader());
    }

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
      if (!name.startsWith("SlowLoader$")) {
        return super.loadClass(name);
      }
      try (InputStream in = SlowLoader.class.getResourceAsStream(name + ".class")) {
        Thread.sleep(40);
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (Exception e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(
        () -> {
          Class<?> plugin = new Remote().loadClass("SlowLoader$Plugin");
          ((Runnable) plugin.getConstructor().newInstance()).run();
        });
  }

  static class Fixed {
    public static void main(String[] args) throws Exception {
      Class<?> plugin = new Remote().loadClass("SlowLoader$Plugin");
      ((Runnable) plugin.getConstructor().newInstance()).run();
      Case.repeat(
          () -> {
            Thread.sleep(40);
            ((Runnable) plugin.getConstructor().newInstance()).run();
          });
    }
  }
}
