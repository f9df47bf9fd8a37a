package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.waits.WaitLoops;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.WaitDetail;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

public class LoopTargetsTest {
  public static final LockMapReader CLASSES =
      new LockMapReader() {
        @Override
        public void read(Collection<StackTrace> stacks) {}

        @Override
        public List<ClassMonitors> find(ClassRef type) {
          return List.of();
        }

        @Override
        public List<CodeSites> code(Set<String> names) {
          return names.stream().flatMap(LoopTargetsTest::code).toList();
        }
      };

  public interface Body {
    void run() throws InterruptedException;
  }

  /** A state that never changes. */
  static final class Never {
    private int parts;
    private int number = 3;
    private boolean complete;
    private boolean ended;

    synchronized void awaitFull() throws InterruptedException {
      while (parts < 10) {
        wait();
      }
    }

    synchronized void awaitAll() throws InterruptedException {
      while (parts != number) {
        wait();
      }
    }

    synchronized void awaitAfter(int enough) throws InterruptedException {
      while (parts < enough) {
        wait();
      }
    }

    @SuppressWarnings("InfiniteLoop")
    void work() throws InterruptedException {
      while (true) {
        awaitFull();
        parts = 0;
      }
    }

    boolean isComplete() {
      return complete;
    }

    boolean isStopped() {
      return ended;
    }

    void awaitComplete() throws InterruptedException {
      while (!isComplete()) {
        Thread.sleep(10_000);
      }
    }

    @SuppressWarnings("InfiniteLoop")
    void workWhenComplete() throws InterruptedException {
      while (true) {
        awaitComplete();
        complete = false;
      }
    }

    void countUntilComplete() throws InterruptedException {
      while (!complete) {
        parts++;
        Thread.sleep(10_000);
        if (parts % 100 == 0) {
          System.out.println("not yet");
        }
      }
    }

    void checkUntilComplete() throws InterruptedException {
      while (!complete) {
        Thread.sleep(10_000);
        serveOnce();
      }
    }

    void countUntilCompleteOrFull() throws InterruptedException {
      while (!complete && parts < 10) {
        Thread.sleep(10_000);
        parts++;
      }
    }

    @SuppressWarnings("InfiniteLoop")
    void workAndCount() throws InterruptedException {
      while (true) {
        while (!complete) {
          parts++;
          Thread.sleep(10_000);
        }
        complete = false;
      }
    }

    private void serveOnce() {
      parts++;
    }

    void serve() throws InterruptedException {
      while (!isStopped()) {
        Thread.sleep(10_000);
      }
    }
  }

  /** Waits at two places. */
  static final class Tries {
    private Tries() {}

    static void tryAgain(Semaphore permits) throws InterruptedException {
      while (!permits.tryAcquire(10, TimeUnit.SECONDS)) {
        rest();
      }
      rest();
    }

    static void tryAgainAndAgain(Semaphore permits) throws InterruptedException {
      while (true) {
        while (!permits.tryAcquire()) {
          Thread.sleep(10_000);
        }
        permits.release();
      }
    }

    static void tryUntilTaken(Semaphore permits) throws InterruptedException {
      while (!permits.tryAcquire()) {
        Thread.sleep(10_000);
      }
    }

    static void refill(Semaphore permits) throws InterruptedException {
      while (true) {
        Thread.sleep(10_000);
        permits.release();
      }
    }

    private static void rest() throws InterruptedException {
      Thread.sleep(10_000);
    }
  }

  private static Stream<CodeSites> code(String name) {
    try (InputStream in =
        LoopTargetsTest.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
      return in == null
          ? Stream.empty()
          : Stream.of(CodeSites.read(in.readAllBytes(), new ClassRef(name, "app")));
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  /** Returns what a thread waits for that runs this. */
  private static WaitDetail until(Body body) throws InterruptedException {
    Thread thread = awaitWaiting(body);
    boolean signalled = thread.getState() == Thread.State.WAITING;
    return new LoopTargets(CLASSES).until(stackOf(thread), signalled);
  }

  /** Returns the fields on which its end depends. */
  private static Set<String> ends(Body body) throws InterruptedException {
    return new LoopTargets(CLASSES)
        .ends(stackOf(awaitWaiting(body))).fields().stream()
            .map(LoopTarget::name)
            .collect(Collectors.toSet());
  }

  public static Thread awaitWaiting(Body body) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    body.run();
                  } catch (InterruptedException e) {
                    // It has been seen.
                  }
                });
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private static List<StackTraceElement> stackOf(Thread thread) throws InterruptedException {
    List<StackTraceElement> stack = WaitLoops.fromPause(List.of(thread.getStackTrace()));
    thread.interrupt();
    thread.join();
    return stack;
  }

  @Test
  void aLoopThatCountsAndTellsEndsByAField() throws InterruptedException {
    Never never = new Never();
    assertEquals(WaitDetail.NONE, until(never::countUntilComplete));
    assertEquals(Set.of("complete"), ends(never::countUntilComplete));
    assertEquals(Set.of("parts"), ends(never::awaitFull));
    assertEquals(Set.of("parts", "number"), ends(never::awaitAll));
  }

  @Test
  void aLoopThatWorksOrIsComeBackToOrEndsInAnotherWayDoesNot() throws InterruptedException {
    Never never = new Never();
    assertEquals(Set.of(), ends(never::checkUntilComplete));
    assertEquals(Set.of(), ends(never::countUntilCompleteOrFull));
    assertEquals(Set.of(), ends(never::workAndCount));
    assertEquals(Set.of(), ends(() -> never.awaitAfter(2)));
    assertEquals(Set.of(), ends(never::work));
  }

  @Test
  void whoIsNotifiedInVainWaitsForAField() throws InterruptedException {
    assertEquals(
        new WaitDetail(WaitDetail.Kind.LOOP, Never.class.getName() + ".parts changes"),
        until(new Never()::awaitFull));
  }

  @Test
  void whoAsksAGetterWaitsForIt() throws InterruptedException {
    assertEquals(
        new WaitDetail(WaitDetail.Kind.LOOP, "LoopTargetsTest$Never.isComplete() changes"),
        until(new Never()::awaitComplete));
  }

  @Test
  void workersComeBack() throws InterruptedException {
    assertEquals(WaitDetail.NONE, until(new Never()::work));
    assertEquals(WaitDetail.NONE, until(new Never()::workWhenComplete));
  }

  private static List<StackTraceElement> at(int line, StackTraceElement... inside) {
    return Stream.concat(
            Stream.of(inside),
            Stream.of(
                new StackTraceElement(Tries.class.getName(), "tryAgain", "", line),
                new StackTraceElement("app.Main", "run", "", 3)))
        .toList();
  }

  @Test
  void aLoopMayWaitAtTwoPlaces() {
    LoopTargets targets = new LoopTargets(CLASSES);
    StackTraceElement tries =
        new StackTraceElement("java.util.concurrent.Semaphore", "tryAcquire", "", 1);
    StackTraceElement sleeps = new StackTraceElement("java.lang.Thread", "sleep", "", 1);
    StackTraceElement rests = new StackTraceElement(Tries.class.getName(), "rest", "", 1);
    int line =
        IntStream.range(1, 500)
            .filter(
                at -> code(Tries.class.getName()).anyMatch(sites -> sites.isInLoop("tryAgain", at)))
            .findFirst()
            .orElseThrow();
    List<StackTraceElement> attempt = at(line, tries);
    assertTrue(targets.areInOneLoop(attempt, at(line + 1, sleeps)));
    assertTrue(targets.areInOneLoop(attempt, at(line + 1, sleeps, rests)));
    assertFalse(targets.areInOneLoop(attempt, attempt), "one place");
    assertFalse(targets.areInOneLoop(attempt, at(line + 3, sleeps)), "behind it");
    assertFalse(targets.areInOneLoop(attempt, at(line + 1, sleeps).subList(0, 2)), "other caller");
    assertEquals(
        new WaitDetail(WaitDetail.Kind.LOOP, "Semaphore.tryAcquire() succeeds"),
        targets.until(at(line + 1, sleeps, rests), false));
    assertEquals(
        new WaitDetail(WaitDetail.Kind.LOOP, "Semaphore.tryAcquire() succeeds"),
        targets.until(attempt, false));
  }

  private static Thread start(Body body) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    body.run();
                  } catch (InterruptedException e) {
                    // It has been seen.
                  }
                });
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private static boolean mayBeServed(Body loop, Body... others) throws InterruptedException {
    List<Thread> all =
        Stream.concat(Stream.of(loop), Stream.of(others)).map(LoopTargetsTest::start).toList();
    List<StackTraceElement> stack = WaitLoops.fromPause(List.of(all.getFirst().getStackTrace()));
    boolean served =
        new LoopTargets(CLASSES)
            .mayBeServed(stack, new Enders(CLASSES, () -> all, true), each -> {});
    for (Thread thread : all) {
      thread.interrupt();
      thread.join();
    }
    return served;
  }

  @Test
  void whoGetsAPermitNowAndThenIsBackBeforeAnybodySeesIt() throws InterruptedException {
    Semaphore permits = new Semaphore(0);
    Body again = () -> Tries.tryAgainAndAgain(permits);
    assertTrue(mayBeServed(again, () -> Tries.refill(permits)));
    assertFalse(mayBeServed(again, again), "they only give back what they have");
    assertFalse(
        mayBeServed(() -> Tries.tryUntilTaken(permits), () -> Tries.refill(permits)),
        "whoever gets one does not come back");
  }

  @Test
  void aServiceGoesOnUntilItIsStopped() throws InterruptedException {
    assertEquals(WaitDetail.NONE, until(new Never()::serve));
  }
}
