package samples.hangs;

import java.util.concurrent.CountDownLatch;

/**
 * Two virtual threads, two classes, each initialized by one of them, and each initializer needs the
 * other class.
 *
 * <p>In the twin the second class does not need the first.
 */
public final class TwoInitializers {
  private static final CountDownLatch BOTH_BEGUN = new CountDownLatch(2);

  static final class Prices {
    static final int VALUE;

    static {
      BOTH_BEGUN.countDown();
      Story.await(BOTH_BEGUN);
      VALUE = 1 + Rates.value();
    }

    static int value() {
      return VALUE;
    }
  }

  static final class Rates {
    static final int VALUE;

    static {
      BOTH_BEGUN.countDown();
      Story.await(BOTH_BEGUN);
      Story.hold();
      VALUE = Story.healthy() ? 1 : 1 + Prices.value();
    }

    static int value() {
      return VALUE;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Story.carriers(4);
    Thread first = Story.start("first", Prices::value);
    Thread second = Story.start("second", Rates::value);
    if (!Story.healthy()) {
      // From here on both go the same way: each to the class that the other initializes.
      BOTH_BEGUN.await();
      Story.until(() -> isAtOther(first) && isAtOther(second));
      Story.standsStill("two threads, two classes, each initializes one and needs the other");
    }
    Story.ended(first, second);
  }

  /** Returns whether it has passed the latch, and so waits forever for the other class. */
  private static boolean isAtOther(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0 && stack[0].getMethodName().equals("<clinit>");
  }

  private TwoInitializers() {}
}
