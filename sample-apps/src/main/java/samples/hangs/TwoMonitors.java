package samples.hangs;

import java.util.concurrent.CountDownLatch;

/**
 * Two virtual threads that enter two monitors in opposite order. On Java 21 to 23 both pin their
 * carriers forever; later on they unmount.
 *
 * <p>The twin enters them in one order.
 */
public final class TwoMonitors {
  /** An account; money moves from one to the other. */
  static final class Account {
    private int balance;

    void pay(Account other, CountDownLatch holds, CountDownLatch goOn) {
      synchronized (this) {
        holds.countDown();
        Story.await(goOn);
        synchronized (other) {
          Story.hold();
          balance--;
          other.balance++;
        }
      }
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Story.carriers(4);
    var one = new Account();
    var two = new Account();
    var holds = new CountDownLatch(2);
    // In the twin both enter the same monitor first, so they cannot both hold one here.
    CountDownLatch goOn = Story.healthy() ? new CountDownLatch(0) : holds;
    Thread first = Story.start("first", () -> one.pay(two, holds, goOn));
    Thread second =
        Story.start(
            "second",
            Story.healthy() ? () -> one.pay(two, holds, goOn) : () -> two.pay(one, holds, goOn));
    if (!Story.healthy()) {
      // Each is BLOCKED at one place only: the other's monitor.
      Story.until(() -> Story.wait(Thread.State.BLOCKED, first, second));
      Story.standsStill("two threads, two monitors, two orders");
    }
    Story.ended(first, second);
    System.out.println(one.balance + " and " + two.balance);
  }

  private TwoMonitors() {}
}
