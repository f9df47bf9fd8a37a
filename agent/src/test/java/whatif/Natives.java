package whatif;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Native methods that are synchronized; {@code natives.c} is what they do. */
public class Natives {
  private static final int THREADS = 8;
  private static final int ROUNDS = 20_000;

  private int count;

  static synchronized native long sum(int a, long b, double c, Object d);

  synchronized native String same(String text, long[] more, boolean yes);

  synchronized native void count();

  private synchronized native int ofOne(int i);

  protected synchronized native int overloaded(int i);

  protected synchronized native int overloaded(long i);

  public synchronized native int base();

  synchronized native void fail() throws IOException;

  synchronized native boolean askJava();

  private synchronized native int registered(int i);

  private static synchronized native int registeredStatic(int i);

  /** Called from C. */
  private boolean isHeld() {
    return Thread.holdsLock(this);
  }

  private synchronized void countInJava() {
    count++;
  }

  private static final class Sub extends Natives {
    @Override
    public synchronized native int base();

    int baseOfSuper() {
      return super.base();
    }

    @Override
    synchronized native void count();

    void countInSuper() {
      super.count();
    }
  }

  private static final class InJava extends Natives {
    @Override
    public synchronized int base() {
      return 10 + super.base();
    }
  }

  private static final class Plain extends Natives {
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // Just that.
    @Override
    public native int base();
  }

  private static void work(Sub object, int thread) {
    for (int i = 0; i < ROUNDS; i++) {
      switch (thread % 4) {
        case 0 -> object.count();
        case 1 -> object.countInSuper();
        case 2 -> ((Natives) object).countInJava();
        default -> {
          synchronized (object) {
            ((Natives) object).count++;
          }
        }
      }
    }
  }

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Natives object = new Natives();
    Sub sub = new Sub();
    System.out.println(sum(1, 2, 3.5, "x") + object.same(" text", new long[] {1, 2}, true));
    System.out.println(object.ofOne(4) + " " + object.overloaded(1) + " " + object.overloaded(1L));
    System.out.println(object.registered(3) + " " + registeredStatic(4));
    System.out.println(
        List.of(
            object.base(), sub.base(), sub.baseOfSuper(), new InJava().base(), new Plain().base()));
    try {
      object.fail();
    } catch (IOException e) {
      System.out.println(e);
    }
    System.out.println("held " + object.askJava() + ", then " + object.isHeld());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      Thread.Builder kind = i < THREADS / 2 ? Thread.ofVirtual() : Thread.ofPlatform();
      threads.add(kind.start(() -> work(sub, thread)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("counted " + ((Natives) sub).count);
  }
}
