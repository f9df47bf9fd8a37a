package samples.hangs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two carriers, both pinned by threads that wait for a lock. Its owner could release it, but it is
 * a virtual thread too, and there is no carrier left to mount it on.
 *
 * <p>{@code pin=monitor} (Java 21 to 23) or {@code pin=initializer} (any): what the two hold while
 * they wait. The twin's owner is a platform thread, which releases the lock.
 */
public final class PinnedCarriers {
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** The object on which each thread works. */
  static final class Account {
    private int entries;

    synchronized void book() {
      LOCK.lock();
      try {
        entries++;
      } finally {
        LOCK.unlock();
      }
    }

    synchronized int entries() {
      return entries;
    }
  }

  static final class FirstSettings {
    static final int VALUE = settings(1);
  }

  static final class SecondSettings {
    static final int VALUE = settings(2);
  }

  static int settings(int value) {
    LOCK.lock();
    try {
      return value;
    } finally {
      LOCK.unlock();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Story.carriers(2);
    String pin = System.getProperty("pin", "monitor");
    var taken = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    Runnable own =
        () -> {
          LOCK.lock();
          try {
            taken.countDown();
            Story.await(release);
          } finally {
            LOCK.unlock();
          }
        };
    Thread owner =
        (Story.healthy() ? Thread.ofPlatform() : Thread.ofVirtual()).name("owner").start(own);
    taken.await();
    Story.until(() -> Story.wait(Thread.State.WAITING, owner));

    Account[] accounts = {new Account(), new Account()};
    Thread first;
    Thread second;
    boolean pins;
    switch (pin) {
      case "monitor" -> {
        first = Story.start("first", accounts[0]::book);
        second = Story.start("second", accounts[1]::book);
        pins = Runtime.version().feature() < 24;
      }
      case "initializer" -> {
        first = Story.start("first", () -> Story.say(FirstSettings.VALUE + ""));
        second = Story.start("second", () -> Story.say(SecondSettings.VALUE + ""));
        pins = true;
      }
      default -> throw new IllegalArgumentException("pin is monitor or initializer, not " + pin);
    }
    Story.until(
        () ->
            LOCK.hasQueuedThread(first)
                && LOCK.hasQueuedThread(second)
                && Story.wait(Thread.State.WAITING, first, second));
    Story.hold();
    release.countDown();
    if (pins && !Story.healthy()) {
      // It could go on, but never will: both carriers are pinned until it does.
      Story.until(() -> owner.getState() == Thread.State.RUNNABLE);
      Story.standsStill(
          "both carriers are kept by threads that wait for a lock; its owner has none");
    }
    Story.ended(owner, first, second);
  }

  private PinnedCarriers() {}
}
