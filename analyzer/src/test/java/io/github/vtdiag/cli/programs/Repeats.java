package io.github.vtdiag.cli.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Pins carriers as often and as long as it is told, after a warm-up that pins for longer. */
public final class Repeats {
  /** Says that the warm-up is over. */
  @Name("com.example.Ready")
  @StackTrace(false)
  static final class Ready extends Event {}

  private Repeats() {}

  /** The arguments are how many pins, how many milliseconds each, and how many of another sort. */
  public static void main(String[] args) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(() -> new Repeats().warmUp()).get();
      new Ready().commit();
      List<Future<?>> all = new ArrayList<>();
      long millis = Long.parseLong(args[1]);
      for (int i = 0; i < Integer.parseInt(args[0]); i++) {
        all.add(threads.submit(() -> new Repeats().work(millis)));
      }
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        all.add(threads.submit(() -> new Repeats().more()));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  private synchronized void warmUp() {
    sleep(600);
  }

  private synchronized void work(long millis) {
    sleep(millis);
  }

  private synchronized void more() {
    sleep(30);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
