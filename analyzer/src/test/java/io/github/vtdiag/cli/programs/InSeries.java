package io.github.vtdiag.cli.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Clients whose requests, each on a virtual thread, pass two monitors one after the other. With
 * {@code fixed} the first is not held while its work waits, so that more requests reach the second.
 */
public final class InSeries {
  private static final int CLIENTS = 8;
  private static final Object QUOTE = new Object();
  private static final Object BOOK = new Object();

  private static int quoted;
  private static int booked;

  private InSeries() {}

  public static void main(String[] args) throws InterruptedException {
    boolean fixed = args[0].equals("fixed");
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[1]));
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(Thread.ofPlatform().start(() -> ask(fixed, end)));
    }
    for (Thread client : clients) {
      client.join();
    }
    System.out.println(quoted + " " + booked);
  }

  private static void ask(boolean fixed, long end) {
    try {
      while (System.nanoTime() < end) {
        Thread.startVirtualThread(() -> request(fixed)).join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void request(boolean fixed) {
    if (fixed) {
      quoteOutside();
    } else {
      quote();
    }
    book();
  }

  private static void quote() {
    synchronized (QUOTE) {
      rest(30);
      quoted++;
    }
  }

  private static void quoteOutside() {
    rest(30);
    synchronized (QUOTE) {
      quoted++;
    }
  }

  private static void book() {
    synchronized (BOOK) {
      rest(4);
      booked++;
    }
  }

  private static void rest(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
