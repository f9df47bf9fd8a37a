/// story: Threads share a ReentrantLock and wait while they hold it; nobody is pinned.
/// java: 21 25
/// kind: healthy
/// truth: JEP 444: a virtual thread that waits under a ReentrantLock leaves its carrier
/// advice: none
import java.util.concurrent.locks.ReentrantLock;

class LocksAndQueues {
  private static final ReentrantLock LOCK = new ReentrantLock();

  private static void work() throws Exception {
    LOCK.lock();
    try {
      Thread.sleep(1);
    } finally {
      LOCK.unlock();
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(LocksAndQueues::work);
  }
}
