package io.github.vtdiag.agent.programs;

import io.netty.channel.ManualIoEventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.nio.channels.Selector;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs virtual threads on schedulers of its own, as event loops do that carry them: one of two
 * carriers is pinned for a while, and on another scheduler both are, for good. Two event loops are
 * each the only thread of a scheduler: one is idle, the other is kept by its channel. Ends when its
 * input does.
 */
public final class Elsewhere {
  private static final ReentrantLock LOCK = new ReentrantLock();

  static final class Slow {
    static {
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
    }

    static void use() {}

    private Slow() {}
  }

  static final class First {
    static {
      LOCK.lock();
    }

    static void use() {}

    private First() {}
  }

  static final class Second {
    static {
      LOCK.lock();
    }

    static void use() {}

    private Second() {}
  }

  private Elsewhere() {}

  /** There is no public way on Java 21 to 25; libraries go this one. */
  private static Thread.Builder.OfVirtual on(Executor scheduler)
      throws ReflectiveOperationException {
    Constructor<?> builder =
        Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
            .getDeclaredConstructor(Executor.class);
    builder.setAccessible(true);
    return (Thread.Builder.OfVirtual) builder.newInstance(scheduler);
  }

  /** Its carriers take tasks alternately, whoever is free. */
  private static Executor twoCarriers(String name) {
    ExecutorService[] carriers = new ExecutorService[2];
    for (int i = 0; i < carriers.length; i++) {
      carriers[i] =
          Executors.newSingleThreadExecutor(
              Thread.ofPlatform().daemon().name(name + "-" + i).factory());
    }
    AtomicInteger turn = new AtomicInteger();
    return task -> carriers[Math.floorMod(turn.getAndIncrement(), 2)].execute(task);
  }

  private static void pin() throws Exception {
    Thread.Builder.OfVirtual builder = on(Executors.newFixedThreadPool(2, daemons("loop")));
    Thread pinned = builder.unstarted(Slow::use);
    pinned.start();
    while (pinned.isAlive()) {
      builder.start(() -> LockSupport.parkNanos(1_000_000)).join();
    }
  }

  private static void loop() throws Exception {
    Selector idle = Selector.open();
    on(Executors.newSingleThreadExecutor(daemons("idle")))
        .start(() -> new ManualIoEventLoop(idle).run(() -> {}));
    // It is idle first: the wait inside its channel must not be taken for more of the same.
    Selector own = Selector.open();
    Selector channels = Selector.open();
    Thread kept =
        on(Executors.newSingleThreadExecutor(daemons("kept")))
            .start(() -> new ManualIoEventLoop(own).run(() -> Channel.read(channels)));
    Thread.sleep(1_500);
    kept.interrupt();
    channels.close();
    own.close();
    kept.join();
  }

  /** A channel that its loop calls, and that waits. */
  static final class Channel {
    static void read(Selector channels) {
      try {
        channels.select(10_000);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private Channel() {}
  }

  private static ThreadFactory daemons(String name) {
    return Thread.ofPlatform().daemon().name(name + "-", 0).factory();
  }

  @SuppressWarnings("LockNotBeforeTry") // Who has it is what this is about.
  private static void hang() throws Exception {
    Thread.Builder.OfVirtual builder = on(twoCarriers("event"));
    LOCK.lock();
    Thread next =
        builder
            .name("next")
            .start(
                () -> {
                  LOCK.lock();
                  LOCK.unlock();
                });
    while (!LOCK.hasQueuedThread(next)) {
      Thread.sleep(1);
    }
    Thread[] keepers = {
      builder.name("first").start(First::use), builder.name("second").start(Second::use)
    };
    for (Thread keeper : keepers) {
      while (!LOCK.hasQueuedThread(keeper)) {
        Thread.sleep(1);
      }
    }
    // It is the next to have the lock, and no carrier is left for it.
    LOCK.unlock();
  }

  public static void main(String[] args) throws Exception {
    pin();
    loop();
    hang();
    System.in.read();
    System.out.println("done");
    System.exit(0);
  }
}
