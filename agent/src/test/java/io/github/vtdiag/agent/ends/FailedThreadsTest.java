package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailedThreadsTest {
  /** Work whose end others wait for, or a part of which fails. */
  static final class Job {
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicBoolean loaded = new AtomicBoolean();
    private boolean ready;
    private int rounds;

    void countsDown() {
      fail();
      end.countDown();
    }

    void countsDownWhateverHappens() {
      try {
        fail();
      } finally {
        end.countDown();
      }
    }

    void countsDownIfItIsNoOtherFault() {
      try {
        fail();
      } catch (ArithmeticException e) {
        rounds = Math.max(rounds, 1);
      }
      end.countDown();
    }

    void countsDownUnlessNegative(int number) {
      if (number < 0) {
        throw new IllegalStateException();
      }
      end.countDown();
    }

    void hadCountedDownUnlessNegative(int number) {
      end.countDown();
      if (number < 0) {
        throw new IllegalStateException();
      }
    }

    void countsDownIfItCanRead() {
      try {
        read();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      end.countDown();
    }

    private static void read() throws IOException {
      throw new IOException();
    }

    void hadCountedDown() {
      end.countDown();
      fail();
    }

    void countsDownEachRound() {
      for (int i = 0; i < 3; i++) {
        end.countDown();
        fail();
      }
    }

    void isReady() {
      fail();
      ready = true;
    }

    void isLoaded() {
      loaded.set(loaded.get());
      fail();
      loaded.set(true);
    }

    void saysReady() {
      fail();
      setReady();
    }

    private void setReady() {
      ready = true;
    }

    void isDone() {
      fail();
      done();
    }

    synchronized void done() {
      notifyAll();
    }

    synchronized void await() throws InterruptedException {
      while (!ready) {
        wait();
      }
    }
  }

  /** An exception of the application, whose code the agent does not run. */
  @SuppressWarnings("serial")
  private static final class Own extends RuntimeException {
    @Override
    public StackTraceElement[] getStackTrace() {
      throw new AssertionError("code of the application");
    }
  }

  private static void fail() {
    throw new IllegalStateException();
  }

  private static final Set<LoopTarget> READY = field("ready");

  private static Set<LoopTarget> field(String name) {
    return Set.of(new LoopTarget(LoopTarget.Kind.FIELD, Job.class.getName(), name));
  }

  private static List<StackTraceElement> stack(String... classesAndMethods) {
    return Stream.of(classesAndMethods)
        .map(each -> each.split("#", -1))
        .map(each -> new StackTraceElement(each[0], each[1], "", 1))
        .toList();
  }

  private static final List<StackTraceElement> AT_LATCH =
      stack("java.util.concurrent.CountDownLatch#await", "app.Main#main");

  private final List<Throwable> thrown = new ArrayList<>();
  private long nanos;
  private final FailedThreads failures =
      new FailedThreads(LoopTargetsTest.CLASSES, this::taken, () -> nanos, false);

  private List<Throwable> taken() {
    List<Throwable> taken = List.copyOf(thrown);
    thrown.clear();
    return taken;
  }

  private FailedThreads failing(Runnable job) {
    try {
      job.run();
      throw new AssertionError("did not fail");
    } catch (IllegalStateException e) {
      thrown.add(e);
    }
    failures.look();
    return failures;
  }

  private Optional<FailedThreads.Left> left(List<StackTraceElement> stack) {
    Awaited awaited =
        KnownWaits.of(new StackTrace(ThreadReader.frames(stack), false), Thread.State.WAITING);
    return failures.thatLeft(awaited, stack);
  }

  @Test
  void whoeverFailsBeforeItCountsDownLeavesTheLatch() {
    failing(new Job()::countsDown);
    FailedThreads.Left left = left(AT_LATCH).orElseThrow();
    assertTrue(
        left.exception()
            .startsWith("java.lang.IllegalStateException in " + FailedThreadsTest.class.getName()),
        left.exception());
    assertEquals(Job.class.getName() + ".countsDown", left.method());
  }

  @Test
  void anExceptionThatItThrowsItselfIsNoOtherWay() {
    failing(() -> new Job().hadCountedDownUnlessNegative(-1));
    assertEquals(Optional.empty(), left(AT_LATCH));
    failing(() -> new Job().countsDownUnlessNegative(-1));
    assertTrue(left(AT_LATCH).isPresent());
  }

  @Test
  void itLeavesTheNextRoundToo() {
    failing(new Job()::countsDownEachRound);
    assertTrue(left(AT_LATCH).isPresent());
  }

  @Test
  void anotherHandlerEndsNothing() {
    failing(new Job()::countsDownIfItIsNoOtherFault);
    assertTrue(left(AT_LATCH).isPresent());
  }

  @Test
  void aFinallyLeavesNothing() {
    failing(new Job()::countsDownWhateverHappens);
    assertEquals(Optional.empty(), left(AT_LATCH));
  }

  @Test
  void whatWasDoneBeforeIsNotLeft() {
    failing(new Job()::hadCountedDown);
    assertEquals(Optional.empty(), left(AT_LATCH));
  }

  @Test
  void aFieldIsNotWritten() {
    assertEquals(Optional.empty(), failures.thatLeft(READY));
    assertTrue(failing(new Job()::isReady).thatLeft(READY).isPresent());
    assertEquals(Optional.empty(), failures.thatLeft(field("rounds")));
    assertEquals(Optional.empty(), failures.thatLeft(Set.of()));
  }

  @Test
  void norBySetterOrAtomically() {
    assertTrue(failing(new Job()::saysReady).thatLeft(READY).isPresent());
    assertEquals(Optional.empty(), failures.thatLeft(field("loaded")));
    assertTrue(failing(new Job()::isLoaded).thatLeft(field("loaded")).isPresent());
  }

  @Test
  void aCauseMayHaveFailedFurtherInside() {
    Runnable job = new Job()::isReady;
    failing(
        () -> {
          try {
            job.run();
          } catch (IllegalStateException e) {
            throw new IllegalStateException(e);
          }
        });
    assertTrue(failures.thatLeft(READY).isPresent());
  }

  @Test
  void aNotificationIsThatOfTheSameClass() {
    failing(new Job()::isDone);
    assertTrue(left(stack("java.lang.Object#wait", Job.class.getName() + "#await")).isPresent());
    assertEquals(Optional.empty(), left(stack("java.lang.Object#wait", "app.Main#await")));
  }

  @Test
  void theCauseIsNamed() {
    failing(new Job()::countsDownIfItCanRead);
    String exception = left(AT_LATCH).orElseThrow().exception();
    assertTrue(exception.startsWith("java.io.IOException in "), exception);
  }

  @Test
  void noCodeOfTheApplicationRuns() {
    thrown.add(new Own());
    failures.look();
    assertEquals(Optional.empty(), left(AT_LATCH));
  }

  @Test
  void whoeverTriesAgainMayNotFailTheNextTime() {
    Runnable job = new Job()::countsDown;
    for (int i = 0; i < 2; i++) {
      nanos += 5_000;
      failing(job);
      assertEquals(i == 0, left(AT_LATCH).isPresent());
    }
    nanos += 14_999;
    assertEquals(Optional.empty(), left(AT_LATCH));
    nanos += 1;
    assertTrue(left(AT_LATCH).isPresent(), "it is not tried again any more");
  }

  @Test
  void partsThatFailAtTheSameTimeTryNothingAgain() {
    Runnable job = new Job()::countsDown;
    for (int i = 0; i < 2; i++) {
      failing(job);
    }
    assertTrue(left(AT_LATCH).isPresent());
  }
}
