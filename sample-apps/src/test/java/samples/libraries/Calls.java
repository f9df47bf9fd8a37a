package samples.libraries;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Forty virtual threads that each make one call of a library, all at once. */
final class Calls {
  static final int THREADS = 40;

  /** How long the other side thinks about each call. */
  static final Duration DELAY = Duration.ofMillis(50);

  /** What ends a program whose threads have blocked each other for good. */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  /** One call; {@code thread} says which of the threads makes it, from 0. */
  @FunctionalInterface
  interface Call {
    void run(int thread) throws Exception;
  }

  /**
   * Makes the calls and ends the program, with a line that says how many came back. A call that
   * fails counts as one that did not.
   */
  static void run(Call call) throws InterruptedException {
    var over = new CountDownLatch(THREADS);
    var failures = new ArrayList<Exception>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      Thread.ofVirtual()
          .name("call-" + i)
          .start(
              () -> {
                try {
                  call.run(thread);
                } catch (Exception e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                } finally {
                  over.countDown();
                }
              });
    }
    boolean all = over.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    synchronized (failures) {
      System.out.println(
          THREADS
              + " calls, "
              + (THREADS - over.getCount() - failures.size())
              + " came back"
              + (all ? "" : ", the others block each other"));
      if (!failures.isEmpty()) {
        failures.getFirst().printStackTrace();
      }
    }
    // Servers and pools have threads of their own that nobody ends.
    System.exit(0);
  }

  /** The other side of a call, in the same program. */
  static void think() {
    try {
      Thread.sleep(DELAY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Calls() {}
}
