package io.github.vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.LoopTarget.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopTargetTest {
  @Test
  void aFieldChangesAndAnAttemptSucceeds() {
    assertEquals(
        "ReentrantLock.tryLock() succeeds or app.Job.done changes",
        LoopTarget.changes(
            List.of(
                new LoopTarget(Kind.FIELD, "app.Job", "done"),
                new LoopTarget(Kind.ATTEMPT, "ReentrantLock", "tryLock"))));
  }

  @Test
  void anElementHasNoOwner() {
    assertEquals(
        "Queue.poll() succeeds or an array element changes",
        LoopTarget.changes(
            List.of(new LoopTarget(Kind.POLL, "Queue", "poll"), LoopTarget.ELEMENT)));
  }
}
