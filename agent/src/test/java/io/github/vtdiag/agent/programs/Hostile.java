package io.github.vtdiag.agent.programs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Pins a virtual thread of a hostile name in a class of a hostile name: {@code Hostile FILE}, the
 * class file. The class's method {@code pin} calls {@link #pause}. It lives on until a live warning
 * has come: JFR passes on what it recorded once a second.
 */
public final class Hostile {
  /** Clears the screen, turns what follows red, and ends in a line that looks like the agent's. */
  public static final String THREAD =
      "\u001b[2J\u001b[31m\r\n[vtdiag] forged \u2028\u202e\ud800\u009b0m";

  private Hostile() {}

  private static final class Loader extends ClassLoader {
    Class<?> define(byte[] classFile) {
      return defineClass(null, classFile, 0, classFile.length);
    }
  }

  public static void pause() {
    Pins.pause();
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    byte[] classFile = Files.readAllBytes(Path.of(args[0]));
    Thread.ofVirtual().name(THREAD).start(() -> pin(new Loader().define(classFile))).join();
    Thread.sleep(3_000);
    System.out.println("done");
  }

  private static void pin(Class<?> type) {
    try {
      Method pin = type.getMethod("pin");
      pin.invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
