package io.github.vtdiag.agent.programs;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Two carriers, and other reasons than pins for which no virtual thread runs. */
@SuppressWarnings("LockNotBeforeTry") // what they wait for is let go late, or never
public final class StandsStill {
  /** Far longer than the agent looks; then the program ends, so that nobody waits for it. */
  private static final long FOR_EVER_SECONDS = 100;

  private static final AtomicInteger TAKERS = new AtomicInteger();
  private static final Object MONITOR = new Object();

  private static volatile boolean ready;

  private StandsStill() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "gate" -> gate();
      case "spin" -> spin();
      case "loader" -> loader();
      case "handover" -> handover();
      default -> throw new IllegalArgumentException(args[0]);
    }
    TimeUnit.SECONDS.sleep(FOR_EVER_SECONDS);
    Runtime.getRuntime().halt(1);
  }

  private static void start(int threads, String name, Runnable task) {
    for (int i = 0; i < threads; i++) {
      Thread.ofVirtual().name(name + "-" + i).start(task);
    }
  }

  /** Carriers wait for a lock that a platform thread never releases. */
  private static void gate() throws InterruptedException {
    start(5, "client", StandsStill::napForEver);
    CountDownLatch closed = new CountDownLatch(1);
    Thread.ofPlatform()
        .daemon()
        .name("exporter")
        .start(
            () -> {
              MountGate.LOCK.lock();
              MountGate.close();
              closed.countDown();
              sleepForEver();
            });
    closed.await();
  }

  private static void napForEver() {
    while (!ready) {
      sleep(20);
    }
  }

  private static void sleepForEver() {
    sleep(TimeUnit.SECONDS.toMillis(FOR_EVER_SECONDS));
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Both carriers wait busily for a thread that has none: a spin never leaves a carrier, monitor or
   * not.
   */
  private static void spin() throws InterruptedException {
    ReentrantLock gate = new ReentrantLock();
    gate.lock();
    Thread setter = Thread.ofVirtual().name("setter").start(() -> set(gate));
    awaitState(setter, Thread.State.WAITING);
    start(2, "spins", StandsStill::waitBusily);
    sleep(500);
    gate.unlock();
  }

  private static void set(ReentrantLock gate) {
    gate.lock();
    ready = true;
  }

  private static void waitBusily() {
    Object own = new Object();
    synchronized (own) {
      while (!ready) {
        Thread.onSpinWait();
      }
    }
  }

  /**
   * Before Java 24: one who gives has a monitor, another one waits for it, and so both carriers are
   * kept until a taker goes on that has none.
   */
  private static void handover() throws InterruptedException {
    ReentrantLock gate = new ReentrantLock();
    gate.lock();
    Thread taker = Thread.ofVirtual().name("taker").start(() -> take(gate));
    awaitState(taker, Thread.State.WAITING);
    SynchronousQueue<Integer> handover = new SynchronousQueue<>();
    start(2, "gives", () -> giveWithMonitor(handover));
    sleep(500);
    gate.unlock();
  }

  private static void take(ReentrantLock gate) {
    TAKERS.incrementAndGet();
    gate.lock();
    TAKERS.decrementAndGet();
  }

  private static void giveWithMonitor(Queue<Integer> handover) {
    synchronized (MONITOR) {
      sleep(1_000);
      give(handover);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // as pools of connections do
  private static void give(Queue<Integer> handover) {
    for (int i = 0; TAKERS.get() > 0; i++) {
      if (handover.offer(i)) {
        return;
      }
      if (i % 256 == 255) {
        LockSupport.parkNanos(10_000);
      } else {
        Thread.yield();
      }
    }
  }

  private static void awaitState(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      sleep(10);
    }
  }

  /**
   * A loader that is not parallel capable loads a class for a thread that left its carrier
   * meanwhile; two others need the class, and the JVM takes the loader's monitor for them.
   */
  private static void loader() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Loader loader = new Loader(lock);
    Runnable user = user(loader);
    lock.lock();
    Thread owner = Thread.ofVirtual().name("owner").start(() -> load(loader));
    loader.isLoading.await();
    awaitState(owner, Thread.State.WAITING);
    start(2, "needs", user);
    sleep(500);
    lock.unlock();
  }

  private static void load(Loader loader) {
    try {
      loader.loadClass(Part.class.getName());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Runnable user(Loader loader) throws ReflectiveOperationException {
    Constructor<?> made = loader.loadClass(User.class.getName()).getDeclaredConstructor();
    made.setAccessible(true);
    return (Runnable) made.newInstance();
  }

  /** Needs another class. */
  static final class User implements Runnable {
    @Override
    public void run() {
      new Part();
    }
  }

  /** Is loaded with a lock held. */
  static final class Part {}

  private static final class Loader extends ClassLoader {
    private final CountDownLatch isLoading = new CountDownLatch(1);
    private final ReentrantLock lock;

    Loader(ReentrantLock lock) {
      super(StandsStill.class.getClassLoader());
      this.lock = lock;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        boolean own = name.startsWith(StandsStill.class.getName() + "$");
        Class<?> known = own ? findLoadedClass(name) : null;
        return known != null ? known : own ? findClass(name) : super.loadClass(name, resolve);
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.endsWith("Part")) {
        isLoading.countDown();
        lock.lock();
        lock.unlock();
      }
      try (InputStream in = findResource(name.replace('.', '/') + ".class").openStream()) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    @Override
    protected URL findResource(String name) {
      return getParent().getResource(name);
    }
  }
}
