package io.github.vtdiag.agent.programs;

import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An event loop that carries virtual threads, until it waits in a task of another kind.
 *
 * <p>Option: {@code --add-opens} for java.lang. Argument: "never" if it waits from the beginning,
 * and has carried no thread.
 */
public final class BlockedLoop {
  /** Longer than any test waits. */
  private static final Duration FOR_EVER = Duration.ofMinutes(2);

  private BlockedLoop() {}

  public static void main(String[] args) throws Exception {
    ExecutorService loop =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("event-loop").factory());
    Constructor<?> constructor =
        Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
            .getDeclaredConstructor(Executor.class);
    constructor.setAccessible(true);
    Thread.Builder.OfVirtual builder = (Thread.Builder.OfVirtual) constructor.newInstance(loop);
    // The agent knows the event loop by what it mounts, once the agent has begun.
    for (int i = 0; i < 20 && !args[0].equals("never"); i++) {
      builder.name("early").start(() -> {}).join();
      Thread.sleep(50);
    }
    CountDownLatch never = new CountDownLatch(1);
    loop.execute(() -> waitFor(never));
    builder.name("client").start(() -> System.out.println("ran")).join(FOR_EVER);
  }

  private static void waitFor(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
