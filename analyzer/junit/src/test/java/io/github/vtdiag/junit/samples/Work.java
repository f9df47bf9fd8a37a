package io.github.vtdiag.junit.samples;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.ReentrantLock;

/** What the samples' virtual threads do. */
final class Work {
  private static final Object MONITOR = new Object();

  private Work() {}

  /** Pins on Java 21. */
  static void inMonitor(long millis) {
    synchronized (MONITOR) {
      sleep(millis);
    }
  }

  /** Pins nowhere. */
  static void inLock(long millis) {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    try {
      sleep(millis);
    } finally {
      lock.unlock();
    }
  }

  /** Pins on every Java: a class is initialized as often as it is loaded. */
  static void inInitializer() {
    try (InputStream in = Work.class.getResourceAsStream("Slow.class")) {
      byte[] bytes = in.readAllBytes();
      ClassLoader loader =
          new ClassLoader(Work.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
              return name.equals(Slow.class.getName())
                  ? defineClass(name, bytes, 0, bytes.length)
                  : super.loadClass(name, resolve);
            }
          };
      Class.forName(Slow.class.getName(), true, loader);
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** On a virtual thread of its own, to its end. */
  static void onThread(Runnable work) {
    try {
      Thread.ofVirtual().start(work).join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
