/// story: All carriers are pinned by threads that wait for a lock, whose owner needs a carrier.
/// java: 21
/// kind: stands still
/// names: pinned
/// truth: JEP 444: a thread in a synchronized block keeps its carrier; the owner of the lock is unmounted and has none
import java.util.concurrent.locks.ReentrantLock;

class PinnedCarriers {
  private static final ReentrantLock LOCK = new ReentrantLock();

  private static void owner() throws Exception {
    LOCK.lock();
    try {
      Thread.sleep(500);
    } finally {
      LOCK.unlock();
    }
  }

  private static void pinned() throws Exception {
    Thread.sleep(100);
    synchronized (new Object()) {
      LOCK.lock();
      LOCK.unlock();
    }
  }

  public static void main(String[] args) throws Exception {
    Case.standStill(
        PinnedCarriers::owner, PinnedCarriers::pinned, PinnedCarriers::pinned, PinnedCarriers::pinned, PinnedCarriers::pinned);
  }
}
