/// story: A thread ends without unlocking.
/// java: 21 25
/// kind: stands still
/// names: ReentrantLock
/// truth: the lock's owner is a thread that has ended
import java.util.concurrent.locks.ReentrantLock;

class OwnerHasEnded {
  public static void main(String[] args) throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Thread.ofVirtual().name("careless").start(lock::lock).join();
    Case.standStill(lock::lock, lock::lock, lock::lock);
  }
}
