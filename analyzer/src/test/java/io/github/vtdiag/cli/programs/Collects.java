package io.github.vtdiag.cli.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Virtual threads that allocate for so many seconds, in a heap of which so many megabytes are full
 * all the time, with a rest of so many milliseconds after each kilobyte.
 */
public final class Collects {
  private static final List<byte[]> LIVE = new ArrayList<>();
  private static final int PIECE = 1_000;
  private static volatile Object last;

  private Collects() {}

  public static void main(String[] args) throws InterruptedException {
    long pieces = Long.parseLong(args[0]) * 1_000_000 / PIECE;
    for (long i = 0; i < pieces; i++) {
      LIVE.add(new byte[PIECE]);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[1]));
    long rest = Long.parseLong(args[2]);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(Thread.startVirtualThread(() -> allocate(end, rest)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("done " + (last != null));
  }

  private static void allocate(long end, long restMillis) {
    try {
      while (System.nanoTime() - end < 0) {
        last = new byte[PIECE];
        if (restMillis > 0) {
          Thread.sleep(restMillis);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
