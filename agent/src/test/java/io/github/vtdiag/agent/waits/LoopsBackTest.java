package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopsBackTest {
  private static final String CONDITION =
      "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await";

  private static final class Called extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final LoopsBack loops = new LoopsBack(new LoopTargets(LoopTargetsTest.CLASSES));

  private static StackTraceElement frame(String method) {
    int dot = method.lastIndexOf('.');
    return new StackTraceElement(method.substring(0, dot), method.substring(dot + 1), "Any", 1);
  }

  @SuppressWarnings("InfiniteLoop")
  private static void serve(Runnable receive) {
    while (true) {
      receive.run();
    }
  }

  private static void threeTimes(Runnable receive) {
    for (int i = 0; i < 3; i++) {
      receive.run();
    }
  }

  /** Returns the stack of a thread that waits in methods that a loop here calls. */
  private static List<StackTraceElement> in(boolean service, String... methods) {
    List<StackTraceElement> called = new ArrayList<>();
    Runnable receive =
        () -> {
          Called here = new Called();
          called.addAll(List.of(here.getStackTrace()));
          throw here;
        };
    try {
      if (service) {
        serve(receive);
      } else {
        threeTimes(receive);
      }
    } catch (Called e) {
      // The frames are known.
    }
    return Stream.concat(Stream.of(methods).map(LoopsBackTest::frame), called.stream().skip(1))
        .toList();
  }

  @Test
  void threeMessagesAreAwaited() {
    assertFalse(loops.areServices(in(false, CONDITION, "org.apache.broker.Consumer.receive")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"org.apache.broker.Client.call", "app.Client.receive"})
  void anythingElseMayBeAnAnswer(String method) {
    assertFalse(loops.areServices(in(true, CONDITION, method)));
  }

  @Test
  void aLatchIsNeverCountedDownForWork() {
    assertFalse(
        loops.areServices(
            in(
                true,
                "java.util.concurrent.CountDownLatch.await",
                "org.apache.broker.Consumer.receive")));
  }

  @Test
  void aConsumerWithoutMessagesIsIdle() {
    assertTrue(
        loops.areServices(
            in(
                true,
                CONDITION,
                "org.apache.broker.Buffer.next",
                "org.apache.broker.Consumer.receive")));
  }
}
