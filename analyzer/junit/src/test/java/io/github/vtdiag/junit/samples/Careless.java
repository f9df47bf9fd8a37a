package io.github.vtdiag.junit.samples;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.RepeatedTest;

/** Nothing is asked of it. */
final class Careless {
  @RepeatedTest(4)
  void pins() {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 3; i++) {
        threads.execute(Work::inInitializer);
      }
    }
  }
}
