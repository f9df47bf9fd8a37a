package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("unused") // Only the code of these methods is read.
class ServiceLoopsTest {
  private static final int LINES = 1_000;

  private static volatile boolean running = true;
  private static Object sink;

  private final CodeSites sites;

  ServiceLoopsTest() throws IOException {
    try (InputStream in = ServiceLoopsTest.class.getResourceAsStream("ServiceLoopsTest.class")) {
      sites =
          CodeSites.read(in.readAllBytes(), new ClassRef(ServiceLoopsTest.class.getName(), "app"));
    }
  }

  static void forEver(BlockingQueue<Object> queue) throws InterruptedException {
    while (true) {
      sink = queue.take();
    }
  }

  static void whileRunning(BlockingQueue<Object> queue) throws InterruptedException {
    while (running && !Thread.currentThread().isInterrupted()) {
      sink = queue.take();
    }
  }

  static void untilNothing(BlockingQueue<Object> queue) {
    Object next;
    while ((next = queue.poll()) != null) {
      sink = next;
    }
  }

  static void threeTimes(BlockingQueue<Object> queue) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      sink = queue.take();
    }
  }

  static void untilAnswer(BlockingQueue<Object> queue) throws InterruptedException {
    while (!queue.take().equals("answer")) {
      sink = queue;
    }
  }

  static void once(BlockingQueue<Object> queue) throws InterruptedException {
    sink = queue.take();
  }

  private boolean isService(String method) {
    return IntStream.range(1, LINES).anyMatch(line -> sites.isInService(method, line));
  }

  @ParameterizedTest
  @ValueSource(strings = {"threeTimes", "untilAnswer", "once"})
  void aLoopThatEndsByWhatHasComeIsNone(String method) {
    assertEquals(false, isService(method));
  }

  @ParameterizedTest
  @ValueSource(strings = {"forEver", "whileRunning", "untilNothing"})
  void aLoopThatGoesOnAsLongAsTheServiceIsOne(String method) {
    assertEquals(true, isService(method));
  }
}
