package io.github.vtdiag.agent.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class JfrShutdownTest {
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final JfrShutdown jfr = new JfrShutdown();

  private Optional<Runnable> hook() {
    return Optional.of(() -> log.add("end"));
  }

  private String logged() {
    log.add("start");
    return "started";
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nothingStartsAfterTheEnd() {
    jfr.run();
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> jfr.start(this::hook, this::logged));
    assertTrue(JfrShutdown.isInProgress(e));
    assertEquals(List.of(), log);
  }

  @Test
  void nothingStartsOnceJfrsOwnHookRuns() {
    JfrShutdown.Taking tooLate =
        () -> {
          throw new IllegalStateException("Shutdown in progress");
        };
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> jfr.start(tooLate, this::logged));
    assertTrue(JfrShutdown.isInProgress(e));
    assertEquals(List.of(), log);
  }

  @Test
  void anotherFailureIsNoShutdown() {
    assertFalse(JfrShutdown.isInProgress(new IllegalStateException("Recorder is full")));
    assertFalse(JfrShutdown.isInProgress(new IOException("Shutdown in progress")));
  }

  @Test
  void aHookThatIsNotFoundKeepsNothingFromStarting() throws IOException {
    JfrShutdown.Taking none =
        () -> {
          throw new NoSuchFieldException("hooks");
        };
    assertEquals("started", jfr.start(none, this::logged));
    jfr.run();
    assertEquals(List.of("start"), log);
  }

  @Test
  void theEndWaitsForAStart() throws Exception {
    CountDownLatch starting = new CountDownLatch(1);
    CountDownLatch ending = new CountDownLatch(1);
    Thread starter =
        new Thread(
            () -> {
              try {
                jfr.start(
                    this::hook,
                    () -> {
                      starting.countDown();
                      awaitUninterruptibly(ending);
                      return logged();
                    });
              } catch (IOException | RuntimeException e) {
                log.add(e.toString());
              }
            });
    starter.start();
    starting.await();
    Thread ender = new Thread(jfr::run);
    ender.start();
    // The end stands at the door by then, or has not come yet; both are fine for the test.
    ender.join(50);
    assertTrue(ender.isAlive(), "the end came before the start was done");
    ending.countDown();
    ender.join();
    starter.join();
    assertEquals(List.of("start", "end"), log);
    jfr.run();
    assertEquals(2, log.size(), "the end comes once");
  }

  @Test
  void theHookGoesBackIfTheStartFails() {
    Thread hook = new Thread(() -> {});
    JfrShutdown.Starting<String> failing =
        () -> {
          throw new IOException("no space");
        };
    assertThrows(IOException.class, () -> jfr.start(() -> Optional.of(hook), failing));
    assertTrue(Runtime.getRuntime().removeShutdownHook(hook));
  }
}
