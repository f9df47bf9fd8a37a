package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExitHooksTest {
  private static final long NANOS = Duration.ofMillis(400).toNanos();

  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void endHooks() {
    end.countDown();
  }

  private interface Body {
    void run() throws InterruptedException;
  }

  private static Optional<ExitHooks.Standing> standing(Body body) {
    Thread hook =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    body.run();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    return new ExitHooks(Map.of(hook, hook, Thread.currentThread(), ""), LoopTargetsTest.CLASSES)
        .awaitOthers(NANOS);
  }

  @Test
  void aHookThatEndsDoesNotStandStill() {
    assertEquals(Optional.empty(), standing(() -> {}));
    assertEquals(Optional.empty(), standing(() -> Thread.sleep(100)));
  }

  @Test
  void neitherDoesOneThatSleepsOrWaitsForAWhile() {
    assertEquals(Optional.empty(), standing(() -> Thread.sleep(5_000)));
    assertEquals(Optional.empty(), standing(() -> end.await(5, TimeUnit.SECONDS)));
  }

  @Test
  void neitherDoesOneThatIsBusy() {
    assertEquals(
        Optional.empty(),
        standing(
            () -> {
              while (end.getCount() > 0) {
                Thread.onSpinWait();
              }
            }));
  }

  /** It drains two queues in turn. */
  @Test
  void neitherDoesOneThatGoesOn() throws InterruptedException {
    BlockingQueue<Integer> first = new LinkedBlockingQueue<>();
    BlockingQueue<Integer> second = new LinkedBlockingQueue<>();
    Thread feeder =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    // The first look finds the hook at the first queue, the second does not.
                    Thread.sleep(TimeUnit.NANOSECONDS.toMillis(NANOS * 3 / 4));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  first.add(1);
                });
    assertEquals(
        Optional.empty(),
        standing(
            () -> {
              first.take();
              second.take();
            }));
    feeder.join();
  }

  @Test
  void neitherDoesOneWhoseLoopEndsByItself() {
    assertEquals(
        Optional.empty(),
        standing(
            () -> {
              for (int i = 0; i < 100; i++) {
                Thread.sleep(50);
              }
            }));
    long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    assertEquals(
        Optional.empty(),
        standing(
            () -> {
              while (end.getCount() > 0 && System.nanoTime() < until) {
                Thread.sleep(50);
              }
            }));
  }

  @Test
  void neitherDoesOneThatDoesSomethingInEachRound() {
    Queue<Integer> done = new ConcurrentLinkedQueue<>();
    assertEquals(
        Optional.empty(),
        standing(
            () -> {
              while (end.getCount() > 0) {
                done.add(1);
                Thread.sleep(50);
              }
            }));
    assertFalse(done.isEmpty());
  }

  @Test
  void oneInALoopThatOnlyAnotherThreadEndsStandsStill() {
    assertEquals(
        Thread.State.TIMED_WAITING,
        standing(
                () -> {
                  while (end.getCount() > 0) {
                    Thread.sleep(50);
                  }
                })
            .orElseThrow()
            .state());
    assertTrue(
        standing(
                () -> {
                  while (!end.await(50, TimeUnit.MILLISECONDS)) {
                    System.out.println("still waiting");
                  }
                })
            .isPresent());
    ExecutorService executor = Executors.newSingleThreadExecutor();
    occupy(executor);
    executor.shutdown();
    assertTrue(
        standing(
                () -> {
                  while (!executor.awaitTermination(50, TimeUnit.MILLISECONDS)) {
                    pause();
                  }
                })
            .isPresent());
  }

  /** Gives it a task that does not end before the test does. */
  private void occupy(ExecutorService executor) {
    executor.execute(
        () -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void pause() throws InterruptedException {
    Thread.sleep(10);
  }

  @Test
  void aHookThatWaitsWithoutATimeoutStandsStill() {
    ExitHooks.Standing standing = standing(end::await).orElseThrow();
    assertEquals(Thread.State.WAITING, standing.state());
    assertTrue(standing.nanos() >= NANOS);
    assertFalse(standing.stack().frames().isEmpty());
  }

  /** That is a wait with a timeout of a day. */
  @Test
  void soDoesOneThatClosesAnExecutor() {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    occupy(executor);
    assertTrue(standing(executor::close).isPresent());
  }

  @Test
  void theHooksOfThisProgramAreFoundBeforeItExits() {
    Thread hook = new Thread(() -> {});
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      // None has begun, so all of them are waited for, and none waits itself.
      assertEquals(Optional.empty(), ExitHooks.find(LoopTargetsTest.CLASSES).awaitOthers(1));
    } finally {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }
}
