package io.github.vtdiag.experiment;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a server that says what it is told to. */
final class WebTargetTest {
  private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  /** Without an end: the client waits. */
  private static final String NOTHING = "";

  /**
   * A server.
   *
   * @param connections for each connection the answers to its requests, after which it is closed
   */
  private record Scripted(ServerSocket socket, List<List<String>> connections, AtomicInteger asked)
      implements AutoCloseable {
    static Scripted start(List<List<String>> connections) throws IOException {
      var server =
          new Scripted(
              new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
              connections,
              new AtomicInteger());
      Thread.ofVirtual().start(server::serve);
      return server;
    }

    private void serve() {
      for (List<String> answers : connections) {
        try (Socket client = socket.accept()) {
          for (String answer : answers) {
            skipRequest(client.getInputStream());
            asked.incrementAndGet();
            if (answer.equals(NOTHING)) {
              client.getInputStream().read();
            }
            client.getOutputStream().write(answer.getBytes(US_ASCII));
          }
        } catch (IOException e) {
          // The client has gone, or the test is over.
        }
      }
    }

    private static void skipRequest(InputStream in) throws IOException {
      String end = "";
      while (!end.endsWith("\r\n\r\n")) {
        int b = in.read();
        if (b < 0) {
          throw new IOException("gone");
        }
        end += (char) b;
      }
    }

    WebTarget target() {
      return new WebTarget(socket.getLocalPort(), "/", 60_000);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static String unescaped(String text) {
    return text.replace("|", "\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 500 |Content-Length: 0||, status 500",
    "HTTP/1.1 404 Not Found|Content-Length: 2||no, status 404",
    "HTTP/1.0 200 OK||, the answer is not HTTP/1.1",
    "SSH-2.0-OpenSSH|, the answer is not HTTP/1.1",
    "HTTP/1.1 200 OK|Content-Length: 3||ok, the server closed the connection in the middle of an"
        + " answer",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|, the server closed the connection in the"
        + " middle of an answer"
  })
  void whatIsNoGoodAnswerIsNone(String answer, String problem) throws Exception {
    try (Scripted server = Scripted.start(List.of(List.of(unescaped(answer))));
        WebTarget target = server.target()) {
      assertFalse(target.send());
      assertEquals(problem, target.problem());
    }
  }

  @Test
  void aServerThatAnswersNothingIsNoGoodOne() throws Exception {
    try (Scripted server = Scripted.start(List.of(List.of()));
        WebTarget target = server.target()) {
      assertFalse(target.send());
      assertEquals("no answer", target.problem());
    }
  }

  @Test
  void whereNobodyListensItSaysSo() throws Exception {
    WebTarget target;
    try (Scripted server = Scripted.start(List.of())) {
      target = server.target();
    }
    try (target) {
      assertFalse(target.send());
      assertEquals("Connection refused", target.problem());
    }
  }

  @Test
  void aConnectionIsKeptAndOneThatTheServerClosedReplaced() throws Exception {
    String chunked =
        unescaped("HTTP/1.1 200 OK|transfer-encoding: chunked||2;x=y|ok|A|0123456789|0||");
    String last = unescaped("HTTP/1.1 200 OK|Connection: close|Content-Length: 0||");
    try (Scripted server =
            Scripted.start(
                List.of(List.of(GOOD, chunked, GOOD), List.of(GOOD, last), List.of(GOOD)));
        WebTarget target = server.target()) {
      for (int i = 0; i < 6; i++) {
        assertTrue(target.send(), target.problem());
      }
      assertEquals(6, server.asked().get());
    }
  }

  @Test
  void whoWaitsCanBeStopped() throws Exception {
    try (Scripted server = Scripted.start(List.of(List.of(NOTHING)));
        WebTarget target = server.target()) {
      CountDownLatch stopped = new CountDownLatch(1);
      Thread user =
          Thread.ofVirtual()
              .start(
                  () -> {
                    assertThrows(InterruptedException.class, target::send);
                    stopped.countDown();
                  });
      while (server.asked().get() == 0) {
        Thread.onSpinWait();
      }
      user.interrupt();
      stopped.await();
    }
  }
}
