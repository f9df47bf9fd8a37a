package io.github.vtdiag.agent.tell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WaitLineTest {
  private static final int LOOKS = 10;
  private static final int ALIVE = 20;

  private final WaitLine line = new WaitLine();
  private int stacks;

  private static Frame frame(String className, String method) {
    return new Frame(new ClassRef(className, ""), method, "()V", 0, 3, 10, Frame.Kind.INTERPRETED);
  }

  private void looks() {
    for (int i = 0; i < LOOKS; i++) {
      line.add(new WaitLook(i, i, ALIVE, ALIVE, ALIVE, true, false));
    }
  }

  /** Adds threads that wait in each sample. */
  private void crowd(int threads, String type, String method, String site) {
    crowd(threads, type, method, site, false);
  }

  private void crowd(int threads, String type, String method, String site, boolean lent) {
    stacks++;
    line.add(
        new WaitStack(
            stacks,
            new StackTrace(List.of(frame(type, method), frame("app.Orders", site)), false),
            lent));
    for (int i = 0; i < LOOKS; i++) {
      line.add(new WaitCrowd(i, stacks, Thread.State.WAITING, "", 0, 0, threads, 0, 0));
    }
  }

  private void results(int threads) {
    crowd(threads, "java.util.concurrent.CompletableFuture", "join", "ask");
  }

  @Test
  void aQueueThatIsAPoolIsNamedAndOneOfWorkersIsNot() {
    String queue = "java.util.concurrent.ArrayBlockingQueue";
    looks();
    crowd(ALIVE / 2, queue, "poll", "work");
    assertEquals(Optional.empty(), line.text());
    crowd(ALIVE / 2, queue, "take", "borrow", true);
    assertEquals(
        Optional.of(
            "waits: 10 virtual threads at a time, up to 10, for ArrayBlockingQueue in"
                + " app.Orders.borrow"),
        line.text());
  }

  @Test
  void resultsForWhichMostThreadsWaitAreNamed() {
    looks();
    results(ALIVE / 2);
    assertEquals(
        Optional.of(
            "waits: 10 virtual threads at a time, up to 10, for CompletableFuture in"
                + " app.Orders.ask"),
        line.text());
  }

  @Test
  void aWaitInALibraryIsNamedByTheCodeThatCalledIt() {
    looks();
    crowd(ALIVE / 2, "org.h2.mvstore.tx.Transaction", "waitFor", "find");
    assertEquals(
        Optional.of(
            "waits: 10 virtual threads at a time, up to 10, for H2 transaction in app.Orders.find"),
        line.text());
  }

  @Test
  void resultsForWhichFewThreadsWaitAreNot() {
    looks();
    results(ALIVE / 2 - 1);
    assertEquals(Optional.empty(), line.text());
  }

  @Test
  void whereThereIsAShortageItIsNamedAlone() {
    looks();
    results(ALIVE / 2 + 4);
    crowd(3, "java.util.concurrent.Semaphore", "acquire", "call");
    assertEquals(
        Optional.of(
            "waits: 3 virtual threads at a time, up to 3, for Semaphore in app.Orders.call"),
        line.text());
  }

  /** Children are themselves among the threads. */
  @ParameterizedTest
  @CsvSource({"java.lang.Thread, join", "java.util.concurrent.ExecutorService, close"})
  void theEndOfChildrenIsNone(String type, String method) {
    looks();
    crowd(ALIVE, type, method, "fork");
    assertEquals(Optional.empty(), line.text());
  }
}
