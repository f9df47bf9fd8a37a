import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.concurrent.ForkJoinWorkerThread;

/** The processor time of a look at a carrier, by each way in which one can look. */
public final class Looking {
  private static final int LOOKS = 20_000;

  private static volatile Object seen;
  private static volatile boolean stop;

  private interface Look {
    Object look() throws Exception;
  }

  private static void measure(String name, int each, Look look) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int i = -LOOKS; i < LOOKS; i++) {
      if (i == 0) {
        before = threads.getCurrentThreadCpuTime();
      }
      seen = look.look();
    }
    long nanos = threads.getCurrentThreadCpuTime() - before;
    System.out.printf("%-40s %6d ns%n", name, nanos / LOOKS / each);
  }

  public static void main(String[] args) throws Exception {
    Thread virtual =
        Thread.startVirtualThread(
            () -> {
              while (!stop) {
                Thread.onSpinWait();
              }
            });
    Thread[] all = new Thread[100];
    Thread carrier = null;
    while (carrier == null) {
      int found = Thread.currentThread().getThreadGroup().getParent().enumerate(all);
      for (int i = 0; i < found; i++) {
        carrier = all[i] instanceof ForkJoinWorkerThread worker ? worker : carrier;
      }
    }
    Thread looked = carrier;
    long id = carrier.threadId();
    long[] ids = new long[64];
    Arrays.fill(ids, id);
    long[] counts = new long[16];
    Field continuation = Thread.class.getDeclaredField("cont");
    continuation.setAccessible(true);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    measure(
        "what it carries, and the count",
        1,
        () -> counts[8] == 0 ? continuation.get(looked) : null);
    measure("ThreadInfo", 1, () -> threads.getThreadInfo(id));
    measure("ThreadInfo of 64 at once, each", 64, () -> threads.getThreadInfo(ids, 0));
    measure("processor time", 1, () -> threads.getThreadCpuTime(id));
    measure("state of the virtual thread", 1, virtual::getState);
    measure("stack of the virtual thread", 1, virtual::getStackTrace);
    stop = true;
  }
}
