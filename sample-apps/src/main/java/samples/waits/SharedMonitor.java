package samples.waits;

/**
 * 100 virtual threads and one monitor, held while the thread waits for 5 ms. On Java 24 and later
 * no thread is pinned, and it is as slow as before: 200 times a second. The twin waits before it
 * enters.
 */
public final class SharedMonitor {
  private static final Object monitor = new Object();
  private static long balance;

  public static void main(String[] args) throws Exception {
    Crowd.repeat(100, SharedMonitor::book);
    System.out.println("the balance is " + balance);
  }

  private static void book() {
    if (Crowd.healthy()) {
      audit();
    }
    synchronized (monitor) {
      if (!Crowd.healthy()) {
        audit();
      }
      balance++;
    }
  }

  private static void audit() {
    Crowd.work(5);
  }

  private SharedMonitor() {}
}
