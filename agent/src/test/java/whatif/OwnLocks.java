package whatif;

import java.util.ArrayList;
import java.util.List;

/** 100 virtual threads, each 10 ms in a synchronized method of an object of its own. */
public final class OwnLocks {
  private OwnLocks() {}

  private static final class Own {
    synchronized void work() throws InterruptedException {
      Thread.sleep(10);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Own own = new Own();
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  own.work();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("done " + threads.size());
  }
}
