package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.LoopTargetsTest;
import io.github.vtdiag.waits.WaitDetail;
import java.lang.reflect.Proxy;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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
    return Stream.concat(
            Stream.of(methods).map(LoopsBackTest::frame), inLambda(service).stream().skip(1))
        .toList();
  }

  /** Returns the stack of a lambda that a loop here calls. */
  private static List<StackTraceElement> inLambda(boolean service) {
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
    return called;
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLoopMayCallTheMethodThatReceives(boolean service) {
    List<StackTraceElement> stack = new ArrayList<>(inLambda(service));
    stack.add(0, frame("org.apache.broker.Consumer.receive"));
    stack.add(0, frame(CONDITION));
    assertEquals(service, loops.areServices(stack));
  }

  /** A broker that tells of the stack on which a message was to be received. */
  private static final class Broker {
    private int sent;

    void send() {
      sent++;
    }

    void receive() {
      if (sent >= 0) {
        throw new Called();
      }
    }
  }

  private static void ask(Broker broker) {
    for (int i = 0; i < 3; i++) {
      broker.send();
      broker.receive();
    }
  }

  private static void answer(Broker broker) {
    for (int i = 0; i < 3; i++) {
      broker.receive();
      broker.send();
    }
  }

  private static List<StackTraceElement> receiving(Consumer<Broker> code, String... methods) {
    Called called = assertThrows(Called.class, () -> code.accept(new Broker()));
    return Stream.concat(
            Stream.of(methods).map(LoopsBackTest::frame), Stream.of(called.getStackTrace()).skip(1))
        .toList();
  }

  @Test
  void whoReceivesFirstAnswersMessages() {
    assertFalse(
        loops.awaitsReply(
            receiving(LoopsBackTest::answer, CONDITION, "org.apache.broker.Consumer.receive")));
  }

  @Test
  void whoSendsFirstAwaitsTheReplyOfALibrary() {
    assertTrue(
        loops.awaitsReply(
            receiving(LoopsBackTest::ask, CONDITION, "org.apache.broker.Consumer.receive")));
    assertFalse(
        loops.awaitsReply(
            receiving(LoopsBackTest::ask, CONDITION, "org.apache.broker.Cursor.refill")));
    assertFalse(loops.awaitsReply(receiving(LoopsBackTest::ask, CONDITION, "app.Broker.receive")));
  }

  /** The library's event loop or its queue brings the message. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sun.nio.ch.SelectorImpl.select",
        "java.util.concurrent.LinkedBlockingQueue.take",
        "java.util.concurrent.locks.LockSupport.park"
      })
  void theReplyMayComeInOtherWays(String wait) {
    assertFalse(
        loops.awaitsReply(receiving(LoopsBackTest::answer, wait, "org.apache.broker.Socket.recv")));
    assertFalse(loops.awaitsReply(receiving(LoopsBackTest::ask, wait, "app.Socket.recv")));
    assertFalse(loops.awaitsReply(receiving(LoopsBackTest::ask, wait)));
    assertTrue(
        loops.awaitsReply(receiving(LoopsBackTest::ask, wait, "org.apache.broker.Socket.recv")));
  }

  /** A driver, each of whose methods tells of the stack on which it was called. */
  private static Object driver(Class<?> type, List<StackTraceElement> called) {
    return Proxy.newProxyInstance(
        LoopsBackTest.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          called.addAll(List.of(new Called().getStackTrace()));
          return method.getReturnType() == boolean.class ? false : null;
        });
  }

  /** Returns the stack of a driver that reads, called by the method that made the call. */
  private static List<StackTraceElement> reading(List<StackTraceElement> called, String method) {
    return Stream.concat(
            Stream.of("sun.nio.ch.NioSocketImpl.read", "app.Driver." + method)
                .map(LoopsBackTest::frame),
            called.stream()
                .dropWhile(
                    frame ->
                        !frame.getClassName().equals(LoopsBackTest.class.getName())
                            || frame.getMethodName().startsWith("lambda")))
        .toList();
  }

  @Test
  void aStatementAwaitsAnAnswerWhateverLoopsThereAre() throws Exception {
    List<StackTraceElement> called = new ArrayList<>();
    Statement statement = (Statement) driver(Statement.class, called);
    for (int i = 0; i < 1; i++) {
      statement.execute("select 1");
    }
    assertTrue(loops.isOfDatabase(reading(called, "execute")));
    assertFalse(loops.isOfDatabase(reading(called, "fetch")));
    assertFalse(loops.isOfDatabase(reading(called, "execute").subList(1, 2)));
  }

  @Test
  void aPlatformThreadInAStatementAwaitsOneUnlessItHasATimeout() throws Exception {
    List<StackTraceElement> called = new ArrayList<>();
    ((Statement) driver(Statement.class, called)).execute("select 1");
    List<StackTraceElement> stack = reading(called, "execute");
    assertEquals(WaitDetail.of(WaitDetail.Kind.READ_ANSWERS), loops.ownEvents(stack, () -> false));
    List<StackTraceElement> timed = new ArrayList<>(stack);
    timed.add(0, frame("sun.nio.ch.NioSocketImpl.timedRead"));
    assertEquals(WaitDetail.NONE, loops.ownEvents(timed, () -> true));
  }

  @Test
  void otherInterfacesMayWaitForEver() {
    List<StackTraceElement> called = new ArrayList<>();
    ((Runnable) driver(Runnable.class, called)).run();
    assertFalse(loops.isOfDatabase(reading(called, "run")));
  }

  @Test
  void whoLogsInAwaitsAnAnswer() {
    assertTrue(
        loops.isOfDatabase(
            List.of(
                frame("sun.nio.ch.NioSocketImpl.read"),
                frame("java.sql.DriverManager.getConnection"))));
  }

  /** Returns the stack of a thread that reads lines from an answer for a stream. */
  private static List<StackTraceElement> readingFor(String... stream) {
    return Stream.concat(
            Stream.concat(
                    Stream.of(
                        "jdk.internal.net.http.ResponseSubscribers$HttpResponseInputStream.read",
                        "java.io.BufferedReader$1.hasNext"),
                    Stream.of(stream))
                .map(LoopsBackTest::frame),
            Stream.of(new Called().getStackTrace()).limit(1))
        .toList();
  }

  @Test
  void aStreamOfLinesWithAMethodForEachIsAService() {
    assertTrue(loops.neverLead(readingFor("java.util.stream.ReferencePipeline.collect")));
    assertFalse(loops.neverLead(readingFor("java.util.stream.ReferencePipeline$Head.forEach")));
  }
}
