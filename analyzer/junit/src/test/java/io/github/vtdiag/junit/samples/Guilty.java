package io.github.vtdiag.junit.samples;

import io.github.vtdiag.junit.ShouldNotPin;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.RepeatedTest;

/** Has to fail, whoever runs beside it. */
@ShouldNotPin(longest = "1s")
final class Guilty {
  @RepeatedTest(4)
  void isFound() {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.execute(() -> Work.onThread(Work::inInitializer));
    }
  }
}
