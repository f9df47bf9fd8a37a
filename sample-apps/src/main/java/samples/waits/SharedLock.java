package samples.waits;

import java.util.concurrent.locks.ReentrantLock;

/**
 * 100 virtual threads and one {@link ReentrantLock}, held while the thread waits for 5 ms: 200
 * times a second, with any number of threads. The twin waits before it takes the lock.
 */
public final class SharedLock {
  private static final ReentrantLock lock = new ReentrantLock();
  private static long balance;

  public static void main(String[] args) throws Exception {
    Crowd.repeat(100, SharedLock::book);
    System.out.println("the balance is " + balance);
  }

  private static void book() {
    if (Crowd.healthy()) {
      audit();
    }
    lock.lock();
    try {
      if (!Crowd.healthy()) {
        audit();
      }
      balance++;
    } finally {
      lock.unlock();
    }
  }

  private static void audit() {
    Crowd.work(5);
  }

  private SharedLock() {}
}
