import java.util.ArrayList;
import java.util.List;

/**
 * Overflows the stack under locks that vtdiag patch does not keep as monitors, and counts those
 * that stay held, for each way in which the code comes back. {@code Overflow OBJECTS}
 */
public final class Overflow {
  /** An object with a lock. */
  interface Way {
    /** Comes back under the lock until the stack is full. */
    void overflow();

    /** Takes the lock. */
    void touch();
  }

  /** Comes back in five calls. */
  static class LongWay implements Way {
    static class Second {
      static void go(LongWay to) {
        Third.go(to);
      }
    }

    static class Third {
      static void go(LongWay to) {
        Fourth.go(to);
      }
    }

    static class Fourth {
      static void go(LongWay to) {
        Fifth.go(to);
      }
    }

    static class Fifth {
      static void go(LongWay to) {
        to.overflow();
      }
    }

    @Override
    public synchronized void overflow() {
      Second.go(this);
    }

    @Override
    public synchronized void touch() {}
  }

  /** Calls another object by a type of the JDK. */
  static class Behind implements Way, Runnable {
    private Runnable next;

    void next(Runnable next) {
      this.next = next;
    }

    @Override
    public synchronized void run() {
      next.run();
    }

    @Override
    public void overflow() {
      run();
    }

    @Override
    public synchronized void touch() {}
  }

  /** Is asked by the JDK for its hash code. */
  static class Listed implements Way {
    private final List<Object> all = new ArrayList<>();

    void add(Object each) {
      all.add(each);
    }

    @Override
    public synchronized int hashCode() {
      return all.hashCode();
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public void overflow() {
      hashCode();
    }

    @Override
    public synchronized void touch() {}
  }

  /** Comes back with an object that was just made. */
  static class Made implements Way {
    static class Other {
      static void go(Made to, Object with) {
        to.visit(with);
      }
    }

    synchronized void visit(Object with) {
      Other.go(this, new Object());
    }

    @Override
    public void overflow() {
      visit("first");
    }

    @Override
    public synchronized void touch() {}
  }

  /** Locks at the end of somebody else's recursion. */
  static class Leaf implements Way {
    @Override
    public synchronized void touch() {}

    @Override
    public void overflow() {
      touch();
      overflow();
    }
  }

  private static final List<String> WAYS =
      List.of("longer way", "type of the JDK", "called back by the JDK", "object just made", "somebody else's recursion");

  private static Way make(int way) {
    switch (way) {
      case 0:
        return new LongWay();
      case 1:
        Behind one = new Behind();
        Behind two = new Behind();
        one.next(two);
        two.next(one);
        return one;
      case 2:
        Listed listed = new Listed();
        listed.add(listed);
        return listed;
      case 3:
        return new Made();
      default:
        return new Leaf();
    }
  }

  public static void main(String[] args) throws Exception {
    int objects = Integer.parseInt(args[0]);
    for (int way = 0; way < WAYS.size(); way++) {
      int held = 0;
      for (int i = 0; i < objects; i++) {
        held += isHeldAfterwards(make(way), i) ? 1 : 0;
      }
      System.out.println(WAYS.get(way) + "\t" + held);
    }
    System.exit(0);
  }

  private static boolean isHeldAfterwards(Way object, int number) throws InterruptedException {
    // Each time the stack is full at another place of the same code.
    Thread overflows = new Thread(null, () -> deeper(object, number % 64), "", 256 << 10);
    overflows.start();
    overflows.join();
    Thread next = new Thread(object::touch);
    next.setDaemon(true);
    next.start();
    next.join(1_000);
    return next.isAlive();
  }

  private static void deeper(Way object, int frames) {
    if (frames > 0) {
      deeper(object, frames - 1);
      return;
    }
    try {
      object.overflow();
    } catch (StackOverflowError e) {
      // As expected: what counts is the state of the lock now.
    }
  }
}
