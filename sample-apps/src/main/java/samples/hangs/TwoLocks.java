package samples.hangs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two virtual threads that take two locks, one in this order, one in that.
 *
 * <p>{@code pinned=true}: each holds a monitor besides. The twin takes the locks in one order.
 */
public final class TwoLocks {
  /** An account; money moves from one to the other. */
  static final class Account {
    private final ReentrantLock lock = new ReentrantLock();
    private int balance;

    void pay(Account other, CountDownLatch holds, CountDownLatch goOn) {
      lock.lock();
      try {
        holds.countDown();
        Story.await(goOn);
        other.lock.lock();
        try {
          Story.hold();
          balance--;
          other.balance++;
        } finally {
          other.lock.unlock();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Story.carriers(4);
    var one = new Account();
    var two = new Account();
    var holds = new CountDownLatch(2);
    // In the twin both take the same lock first, so they cannot both hold one here.
    CountDownLatch goOn = Story.healthy() ? new CountDownLatch(0) : holds;
    Thread first = Story.start("first", pinnedIfAsked(() -> one.pay(two, holds, goOn)));
    Thread second =
        Story.start(
            "second",
            pinnedIfAsked(
                Story.healthy()
                    ? () -> one.pay(two, holds, goOn)
                    : () -> two.pay(one, holds, goOn)));
    if (!Story.healthy()) {
      Story.until(
          () ->
              two.lock.hasQueuedThread(first)
                  && one.lock.hasQueuedThread(second)
                  && Story.wait(Thread.State.WAITING, first, second));
      Story.standsStill("two threads, two locks, two orders");
    }
    Story.ended(first, second);
    System.out.println(one.balance + " and " + two.balance);
  }

  private static Runnable pinnedIfAsked(Runnable work) {
    if (!Boolean.getBoolean("pinned")) {
      return work;
    }
    var session = new Session();
    return () -> session.run(work);
  }

  /** A session that holds its own monitor while it works. */
  static final class Session {
    synchronized void run(Runnable work) {
      work.run();
    }
  }

  private TwoLocks() {}
}
