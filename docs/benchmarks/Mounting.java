import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The processor time of a mount: {@code Mounting THREADS YIELDS ROUNDS}. */
public final class Mounting {
  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    int yields = Integer.parseInt(args[1]);
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    for (int round = 0; round < Integer.parseInt(args[2]); round++) {
      long before = system.getProcessCpuTime();
      Thread[] all = new Thread[threads];
      for (int i = 0; i < threads; i++) {
        all[i] =
            Thread.startVirtualThread(
                () -> {
                  for (int n = 0; n < yields; n++) {
                    Thread.yield();
                  }
                });
      }
      for (Thread thread : all) {
        thread.join();
      }
      long nanos = system.getProcessCpuTime() - before;
      System.out.printf("%d ns a mount%n", nanos / threads / yields);
    }
  }
}
