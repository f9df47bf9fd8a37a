/// story: A class reads its configuration in its initializer, and all threads wait for it.
/// java: 21 25
/// kind: pin
/// holder: ClassInitializer$Settings.<clinit>
/// truth: the JVM specification, 5.5: the initializing thread runs <clinit> below a native frame of the JVM
/// advice: pattern
/// proof: run Fixed
import java.util.concurrent.atomic.AtomicInteger;

class ClassInitializer {
  static class Settings {
    static final int LIMIT;

    static {
      try {
        Thread.sleep(3_000);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      LIMIT = 7;
    }
  }

  public static void main(String[] args) throws Exception {
    AtomicInteger sum = new AtomicInteger();
    Case.repeat(
        () -> {
          sum.addAndGet(Settings.LIMIT);
          Thread.sleep(50);
        });
  }

  static class Fixed {
    public static void main(String[] args) throws Exception {
      Class.forName("ClassInitializer$Settings");
      ClassInitializer.main(args);
    }
  }
}
