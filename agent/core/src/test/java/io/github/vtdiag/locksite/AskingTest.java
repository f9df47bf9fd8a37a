package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ClassRef;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings({
  "unused",
  "InfiniteLoop",
  "FutureReturnValueIgnored"
}) // Only the code of its methods is read.
class AskingTest {
  private static final int LINES = 200;

  private final CodeSites sites;

  AskingTest() throws IOException {
    try (InputStream in = AskingTest.class.getResourceAsStream("AskingTest.class")) {
      sites = CodeSites.read(in.readAllBytes(), new ClassRef(AskingTest.class.getName(), "app"));
    }
  }

  /** The application's own sender. */
  private static final class OwnReports {
    private int sent;

    void send(String state) {
      sent += state.length();
    }
  }

  private static void serves(WebSocket socket, BlockingQueue<String> questions)
      throws InterruptedException {
    while (true) {
      String question = questions.take();
      socket.sendText(question, true);
    }
  }

  private static void subscribes(WebSocket socket, BlockingQueue<String> events)
      throws InterruptedException {
    socket.sendText("subscribe", true);
    while (true) {
      events.take();
    }
  }

  private static void subscribesOnce(WebSocket socket, BlockingQueue<String> events)
      throws InterruptedException {
    socket.sendText("subscribe", true);
    events.take();
  }

  private static void reports(OwnReports reports, BlockingQueue<String> tasks)
      throws InterruptedException {
    while (true) {
      reports.send("ready");
      tasks.take();
    }
  }

  private static void asks(WebSocket socket, BlockingQueue<String> replies)
      throws InterruptedException {
    for (int i = 0; i < 9; i++) {
      socket.sendText("question", true).join();
      replies.take();
    }
  }

  private boolean awaitsListener(String method) {
    return IntStream.range(1, LINES)
        .anyMatch(line -> sites.asksFirst(method, line, Asking.BY_LISTENER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"serves", "subscribes", "subscribesOnce", "reports"})
  void whoDoesNotSendInEachRoundAwaitsNoReply(String method) {
    assertFalse(awaitsListener(method));
  }

  @Test
  void whoSendsInEachRoundAndTakesThenAwaitsTheReply() {
    assertTrue(awaitsListener("asks"));
    assertFalse(
        IntStream.range(1, LINES)
            .anyMatch(line -> sites.asksFirst("asks", line, Asking.EACH_TIME)));
  }
}
