package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("unused") // Only the code of these methods is read.
class AnswerSelectsTest {
  private static final int LINES = 1_000;

  private static volatile boolean running = true;

  private final CodeSites sites;

  AnswerSelectsTest() throws IOException {
    try (InputStream in = AnswerSelectsTest.class.getResourceAsStream("AnswerSelectsTest.class")) {
      sites =
          CodeSites.read(in.readAllBytes(), new ClassRef(AnswerSelectsTest.class.getName(), "app"));
    }
  }

  static void fillsBuffer(Selector selector, SocketChannel channel, ByteBuffer answer)
      throws IOException {
    while (answer.hasRemaining()) {
      selector.select();
      for (SelectionKey key : selector.selectedKeys()) {
        if (key.isReadable() && channel.read(answer) < 0) {
          throw new EOFException();
        }
      }
      selector.selectedKeys().clear();
    }
  }

  static String readsLine(Selector selector, SocketChannel channel) throws IOException {
    StringBuilder line = new StringBuilder();
    ByteBuffer part = ByteBuffer.allocate(100);
    while (line.indexOf("\n") < 0) {
      selector.select();
      channel.read(part.clear());
      line.append(StandardCharsets.UTF_8.decode(part.flip()));
    }
    return line.toString();
  }

  static byte[] readsUntilFlag(Selector selector, SocketChannel channel) throws IOException {
    ByteBuffer part = ByteBuffer.allocate(100);
    boolean done = false;
    while (!done) {
      if (selector.select() == 0) {
        continue;
      }
      for (SelectionKey key : selector.selectedKeys()) {
        done = channel.read(part) > 10;
      }
    }
    return part.array();
  }

  static byte[] readsUntilClosed(Selector selector, SocketChannel channel) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(100);
    while (true) {
      selector.select();
      if (channel.read(all) < 0) {
        return all.array();
      }
    }
  }

  static void subscribes(Selector selector, SocketChannel channel) throws IOException {
    ByteBuffer event = ByteBuffer.allocate(100);
    while (running) {
      selector.select();
      if (channel.read(event) < 0) {
        return;
      }
      event.clear();
    }
  }

  static Void runsUntilClosed(Selector selector) throws IOException {
    try (selector) {
      while (selector.isOpen() && !Thread.currentThread().isInterrupted()) {
        selector.select();
        selector.selectedKeys().forEach(key -> key.interestOps(0));
      }
      return null;
    }
  }

  static int countsWhileRunning(Selector selector) throws IOException {
    int events = 0;
    while (running) {
      selector.select();
      events += selector.selectedKeys().size();
    }
    return events;
  }

  static int countsUntilClosed(Selector selector, SocketChannel channel) throws IOException {
    int all = 0;
    while (true) {
      selector.select();
      int read = channel.read(ByteBuffer.allocate(100));
      if (read < 0) {
        return all;
      }
      all += read;
    }
  }

  static void readsMessages(Selector selector, SocketChannel channel) throws IOException {
    ByteBuffer part = ByteBuffer.allocate(100);
    while (true) {
      selector.select();
      channel.read(part);
      part.flip();
      while (part.hasRemaining()) {
        part.get();
      }
      part.clear();
    }
  }

  @SuppressWarnings("InfiniteLoop")
  static void asksAgain(Selector selector, SocketChannel channel) throws IOException {
    while (true) {
      ByteBuffer answer = ByteBuffer.allocate(100);
      while (answer.hasRemaining()) {
        selector.select();
        channel.read(answer);
      }
    }
  }

  static byte[] servesOne(Selector selector, ServerSocketChannel server) throws IOException {
    ByteBuffer request = ByteBuffer.allocate(100);
    while (request.hasRemaining()) {
      selector.select();
      server.accept().read(request);
    }
    return request.array();
  }

  static String readsUntilDone(Selector selector, SocketChannel channel) throws IOException {
    StringBuilder all = new StringBuilder();
    boolean done = false;
    while (!done) {
      if (selector.select(1_000) > 0) {
        ByteBuffer part = ByteBuffer.allocate(100);
        channel.read(part);
        all.append(StandardCharsets.UTF_8.decode(part.flip()));
        done = all.indexOf("\n") >= 0;
      }
    }
    return all.toString();
  }

  static void printsUntilDone(SocketChannel channel) throws IOException {
    try (Selector selector = Selector.open()) {
      StringBuilder all = new StringBuilder();
      boolean done = false;
      while (!done) {
        if (selector.select(1_000) == 0) {
          continue;
        }
        ByteBuffer part = ByteBuffer.allocate(100);
        channel.read(part);
        all.append(StandardCharsets.UTF_8.decode(part.flip()));
        done = all.indexOf("\n") >= 0;
      }
      System.out.println(all);
    }
  }

  static void servesUntilQuit(Selector selector, SocketChannel channel) throws IOException {
    StringBuilder all = new StringBuilder();
    boolean quit = false;
    while (!quit) {
      selector.select();
      ByteBuffer part = ByteBuffer.allocate(100);
      channel.read(part);
      all.append(StandardCharsets.UTF_8.decode(part.flip()));
      quit = all.indexOf("quit") >= 0;
    }
  }

  static void fillsInTime(Selector selector, SocketChannel channel, ByteBuffer answer)
      throws IOException {
    long end = System.nanoTime() + 1;
    while (answer.hasRemaining() && System.nanoTime() < end) {
      selector.select(1_000);
      channel.read(answer);
    }
  }

  static void fillsInRounds(Selector selector, SocketChannel channel, ByteBuffer answer)
      throws IOException {
    int rounds = 0;
    while (answer.hasRemaining()) {
      selector.select(1_000);
      channel.read(answer);
      if (++rounds > 10) {
        throw new EOFException();
      }
    }
  }

  private boolean isForAnswer(String method, boolean endless) {
    return IntStream.range(1, LINES)
        .anyMatch(line -> sites.selectsForAnswer(method, line, endless));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fillsInTime", "fillsInRounds"})
  void aLoopThatGivesUpEndsByItself(String method) {
    assertEquals(true, isForAnswer(method, false));
    assertEquals(false, isForAnswer(method, true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fillsBuffer", "readsUntilDone", "printsUntilDone"})
  void aLoopThatGoesOnUntilItHasTheAnswerIsEndless(String method) {
    assertEquals(true, isForAnswer(method, true));
  }

  private boolean isForAnswer(String method) {
    return IntStream.range(1, LINES).anyMatch(line -> sites.selectsForAnswer(method, line, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "subscribes",
        "runsUntilClosed",
        "countsWhileRunning",
        "countsUntilClosed",
        "readsMessages",
        "servesOne",
        "servesUntilQuit"
      })
  void anEventLoopGoesOnUntilSomebodyEndsIt(String method) {
    assertEquals(false, isForAnswer(method));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fillsBuffer", "readsLine", "readsUntilFlag", "readsUntilClosed"})
  void aLoopThatEndsWithAnAnswerIsNone(String method) {
    assertEquals(true, isForAnswer(method));
  }

  /** The loop around the whole leads back, so a thread that waits there may be idle. */
  @Test
  void theInnerLoopOfAnEventLoopDoesNotCount() {
    int selects =
        IntStream.range(1, LINES)
            .filter(line -> sites.isInLoops("asksAgain", line))
            .min()
            .orElse(0);
    assertEquals(false, sites.selectsForAnswer("asksAgain", selects, false));
  }
}
