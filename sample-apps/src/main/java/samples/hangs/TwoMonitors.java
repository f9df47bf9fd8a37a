package samples.hangs;

import java.util.concurrent.CountDownLatch;

/**
 * Two virtual threads that enter two monitors, one in this order, one in that. On Java 21 to 23
 * both keep their carriers for ever; later on they leave them.
 *
 * <p>The twin enters them in one order.
 */
public final class TwoMonitors {
  /** Money moves from one to the other. */
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
    // In one order nobody can wait for both to hold the first.
    CountDownLatch goOn = Story.healthy() ? new CountDownLatch(0) : holds;
    Thread first = Story.start("first", () -> one.pay(two, holds, goOn));
    Thread second =
        Story.start(
            "second",
            Story.healthy() ? () -> one.pay(two, holds, goOn) : () -> two.pay(one, holds, goOn));
    if (!Story.healthy()) {
      // Either waits at one place only where it is BLOCKED: the other's monitor.
      Story.until(() -> Story.wait(Thread.State.BLOCKED, first, second));
      Story.standsStill("two threads, two monitors, two orders");
    }
    Story.ended(first, second);
    System.out.println(one.balance + " and " + two.balance);
  }

  private TwoMonitors() {}
}
