package io.github.vtdiag.junit.samples;

import io.github.vtdiag.junit.ShouldNotPin;
import io.github.vtdiag.junit.ShouldPin;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Twenty-six tests that run at the same time, and create threads at the same instant: those whose
 * names begin with "fails" have to fail, and no others.
 */
final class SideBySide {
  private static final int CROWD = 20;

  /** Longer than a thread waits for a class that is loaded on a busy machine. */
  private static final String LIMIT = "100ms";

  /** What is loaded by the first test would pin that, on Java 21. */
  @BeforeAll
  static void warmUp() {
    inExecutor(() -> Work.inLock(1));
    Work.onThread(() -> Work.onThread(() -> Work.inLock(1)));
  }

  @RepeatedTest(2)
  @ShouldNotPin(longest = LIMIT)
  void failsOnAThread() {
    Work.onThread(Work::inInitializer);
  }

  @RepeatedTest(2)
  @ShouldNotPin(longest = LIMIT)
  void failsInAnExecutor() {
    inExecutor(Work::inInitializer);
  }

  @RepeatedTest(2)
  @ShouldNotPin(longest = LIMIT)
  void failsOnAThreadOfAThread() {
    Work.onThread(() -> Work.onThread(Work::inInitializer));
  }

  @RepeatedTest(4)
  @ShouldPin(shortest = LIMIT)
  void failsWithoutPins() {
    inExecutor(() -> Work.inLock(30));
  }

  @RepeatedTest(2)
  @ShouldPin(shortest = LIMIT)
  void passesOnAThread() {
    Work.onThread(Work::inInitializer);
  }

  @RepeatedTest(2)
  @ShouldPin(shortest = LIMIT)
  void passesInAnExecutor() {
    inExecutor(Work::inInitializer);
  }

  @RepeatedTest(2)
  @ShouldPin(shortest = LIMIT)
  void passesOnAThreadOfAThread() {
    Work.onThread(() -> Work.onThread(Work::inInitializer));
  }

  @RepeatedTest(6)
  @ShouldNotPin(longest = LIMIT)
  void passesWithoutPins() {
    inExecutor(() -> Work.inLock(30));
  }

  @RepeatedTest(4)
  void passesUnasked() {
    inExecutor(Work::inInitializer);
  }

  /** One thread does the work, in a crowd of others. */
  private static void inExecutor(Runnable work) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CROWD; i++) {
        threads.execute(() -> Work.sleep(1));
      }
      threads.execute(work);
      for (int i = 0; i < CROWD; i++) {
        threads.execute(() -> Work.sleep(1));
      }
    }
  }
}
