package io.github.vtdiag.agent.programs;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Virtual threads that compute, wait, and now and then wait in a monitor. Prints what threads with
 * {@code vtdiag} at the start of their name took meanwhile. Arguments: for how many seconds, 0 for
 * one virtual thread; {@code planted} for a thread more of such a name that computes and allocates.
 */
public final class Busy {
  private static final int THREADS = 200;
  private static final long WARM_UP_MILLIS = 3_000;
  private static final ThreadMXBean THREADS_BEAN =
      (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @SuppressWarnings("unused")
  private static volatile Object sink;

  private record Taken(long processorNanos, long bytes) {}

  private Busy() {}

  public static void main(String[] args) throws Exception {
    int seconds = Integer.parseInt(args[0]);
    if (seconds == 0) {
      // The agent has JFR started before the first.
      Thread.ofVirtual().start(() -> System.out.println("hello")).join();
      return;
    }
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(i);
      Thread.ofVirtual().name("request-" + i).start(() -> serve(random));
    }
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    // JFR and the agent start up, which is another cost.
    Thread.sleep(WARM_UP_MILLIS);
    if (List.of(args).contains("planted")) {
      Thread planted = new Thread(Busy::waste, "vtdiag planted");
      planted.setDaemon(true);
      planted.start();
    }
    Map<String, Taken> before = taken();
    long start = System.nanoTime();
    long processor = system.getProcessCpuTime();
    Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
    Map<String, Taken> after = taken();
    System.out.println(
        "all " + (System.nanoTime() - start) + " " + (system.getProcessCpuTime() - processor));
    after.forEach(
        (name, taken) -> {
          Taken had = before.getOrDefault(name, new Taken(0, 0));
          System.out.println(
              "thread "
                  + (taken.processorNanos() - had.processorNanos())
                  + " "
                  + (taken.bytes() - had.bytes())
                  + " "
                  + name);
        });
  }

  /** By name; two threads of the same name count as one. */
  private static Map<String, Taken> taken() {
    Map<String, Taken> taken = new HashMap<>();
    for (ThreadInfo thread : THREADS_BEAN.getThreadInfo(THREADS_BEAN.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith("vtdiag")) {
        long id = thread.getThreadId();
        Taken its =
            new Taken(
                Math.max(0, THREADS_BEAN.getThreadCpuTime(id)),
                Math.max(0, THREADS_BEAN.getThreadAllocatedBytes(id)));
        taken.merge(
            thread.getThreadName(),
            its,
            (a, b) -> new Taken(a.processorNanos() + b.processorNanos(), a.bytes() + b.bytes()));
      }
    }
    return taken;
  }

  private static void serve(Random random) {
    try {
      while (true) {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
          sum = sum * 31 + i;
        }
        sink = sum;
        Thread.sleep(5 + random.nextInt(20));
        if (random.nextInt(200) == 0) {
          Object lock = new Object();
          sink = lock;
          synchronized (lock) {
            Thread.sleep(2);
          }
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void waste() {
    while (true) {
      sink = new byte[1_000];
    }
  }
}
