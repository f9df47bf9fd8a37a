package io.github.vtdiag.junit.samples;

import io.github.vtdiag.junit.ShouldNotPin;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.RepeatedTest;

/** Runs beside {@link Careless} and {@link Guilty}, and must never be failed for them. */
@ShouldNotPin(longest = "1s")
final class Careful {
  @RepeatedTest(4)
  void createsThreads() {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        for (int j = 0; j < 20; j++) {
          threads.execute(
              () -> {
                Thread.ofVirtual().start(() -> Work.sleep(1));
                Work.inLock(30);
              });
        }
        Work.sleep(40);
      }
    }
  }
}
