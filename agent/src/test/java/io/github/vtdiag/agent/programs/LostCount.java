package io.github.vtdiag.agent.programs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;

/**
 * Makes the JDK's scheduler count carriers as active that wait for work, as a fault of it may; from
 * then on it wakes none of them.
 *
 * <p>Options: {@code --add-opens} for java.lang and java.util.concurrent. The only argument is the
 * number of carriers that are pinned, at most 1.
 */
public final class LostCount {
  /** The place of the number of active carriers in {@code ForkJoinPool.ctl}. */
  private static final int ACTIVE_SHIFT = 48;

  /** Longer than any test waits. */
  private static final Duration FOR_EVER = Duration.ofMinutes(2);

  private LostCount() {}

  public static void main(String[] args) throws Exception {
    int pinned = Integer.parseInt(args[0]);
    CountDownLatch runs = new CountDownLatch(pinned);
    for (int i = 0; i < pinned; i++) {
      Thread.ofVirtual().name("pinned").start(() -> compute(runs));
    }
    runs.await();
    Thread.ofVirtual().start(() -> {}).join();
    ForkJoinPool scheduler = scheduler();
    // The carriers look for further work before they wait for it.
    while (scheduler.getActiveThreadCount() > pinned) {
      Thread.sleep(10);
    }
    VarHandle ctl =
        MethodHandles.privateLookupIn(ForkJoinPool.class, MethodHandles.lookup())
            .findVarHandle(ForkJoinPool.class, "ctl", long.class);
    ctl.getAndAdd(scheduler, (long) (scheduler.getParallelism() - pinned) << ACTIVE_SHIFT);
    Thread lost = Thread.ofVirtual().name("lost").start(() -> System.out.println("ran"));
    lost.join(FOR_EVER);
    System.exit(1);
  }

  /** Keeps its carrier. */
  private static void compute(CountDownLatch runs) {
    runs.countDown();
    while (true) {
      Thread.onSpinWait();
    }
  }

  private static ForkJoinPool scheduler() throws ReflectiveOperationException {
    // Java 25 calls it built-in.
    Field field =
        Arrays.stream(Class.forName("java.lang.VirtualThread").getDeclaredFields())
            .filter(each -> each.getName().matches("(DEFAULT|BUILTIN)_SCHEDULER"))
            .findFirst()
            .orElseThrow();
    field.setAccessible(true);
    return (ForkJoinPool) field.get(null);
  }
}
