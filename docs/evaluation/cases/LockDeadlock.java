/// story: Two virtual threads take two ReentrantLocks in opposite order.
/// java: 21 25
/// kind: stands still
/// names: first second
/// truth: each of the two owns the lock that the other waits for
import java.util.concurrent.locks.ReentrantLock;

class LockDeadlock {
  private static final ReentrantLock ONE = new ReentrantLock();
  private static final ReentrantLock TWO = new ReentrantLock();

  private static void first() throws Exception {
    ONE.lock();
    Thread.sleep(200);
    TWO.lock();
  }

  private static void second() throws Exception {
    TWO.lock();
    Thread.sleep(200);
    ONE.lock();
  }

  public static void main(String[] args) throws Exception {
    Case.standStill(LockDeadlock::first, LockDeadlock::second);
  }
}
