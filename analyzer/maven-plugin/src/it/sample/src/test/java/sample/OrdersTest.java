package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.junit.ShouldNotPin;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/**
 * What it does is chosen on the command line; it is compiled for a Java without virtual threads.
 */
class OrdersTest {
  @Test
  void worksOnAVirtualThread() throws Exception {
    assertEquals("kept", System.getProperty("owners"));
    if (Boolean.getBoolean("pins")) {
      onVirtualThread(Slow::load);
    } else {
      onVirtualThread(() -> {});
    }
  }

  @Test
  @ShouldNotPin
  void doesNotPin() throws Exception {
    onVirtualThread(Boolean.getBoolean("extension.pins") ? Slow::load : () -> {});
  }

  private static void onVirtualThread(Runnable work) throws Exception {
    Method start;
    try {
      start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    } catch (NoSuchMethodException e) {
      work.run();
      return;
    }
    ((Thread) start.invoke(null, work)).join();
  }

  /** A class initializer pins on every Java. */
  static final class Slow {
    static {
      try {
        Thread.sleep(300);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    static void load() {}
  }
}
