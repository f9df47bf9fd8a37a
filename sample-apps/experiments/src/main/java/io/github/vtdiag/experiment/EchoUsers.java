package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.LoadGenerator;
import io.github.vtdiag.compare.LoadResult;
import io.github.vtdiag.model.Figures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Open connections to an echo server, for as many users: each request takes the connection that was
 * unused for longest, sends a line, and compares the answer byte for byte.
 */
final class EchoUsers implements LoadGenerator.Server, AutoCloseable {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int ANSWER_MILLIS = 30_000;
  private static final int PAUSE_MILLIS = 100;

  private final String begin;
  private final Queue<Socket> free = new ConcurrentLinkedQueue<>();
  private final Queue<Socket> all = new ConcurrentLinkedQueue<>();
  private final AtomicLong number = new AtomicLong();
  private volatile String problem = "";

  /**
   * Creates it without connections.
   *
   * @param begin the beginning of each line
   */
  EchoUsers(String begin) {
    this.begin = begin;
  }

  /** Opens connections; all of them stay open until the end. */
  void open(int port, int connections) throws IOException {
    for (int i = 0; i < connections; i++) {
      Socket socket = new Socket();
      all.add(socket);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      free.add(socket);
    }
  }

  int connections() {
    return all.size();
  }

  /** Returns the last problem; empty if there was none. */
  String problem() {
    return problem;
  }

  /**
   * Returns what is wrong with a load of theirs, as a sentence without its end; empty if nothing
   * is.
   *
   * @param when says which lines are meant
   */
  Optional<String> wrong(LoadResult load, String when) {
    long bad = load.errors() + load.unanswered();
    if (bad == 0) {
      return Optional.empty();
    }
    return Optional.of(
        "of %s %s %s came back wrong or not at all%s"
            .formatted(
                Figures.count(load.requests(), "line"),
                when,
                Figures.count(bad),
                problem.isEmpty() ? "" : " (last: " + problem + ")"));
  }

  @Override
  public boolean send() throws InterruptedException {
    Socket socket = free.poll();
    if (socket == null) {
      // A connection broke. A user without one must not fail a million times a second.
      Thread.sleep(PAUSE_MILLIS);
      return false;
    }
    byte[] line =
        (begin + " line " + number.incrementAndGet() + "\n").getBytes(StandardCharsets.US_ASCII);
    try {
      socket.getOutputStream().write(line);
      byte[] answer = socket.getInputStream().readNBytes(line.length);
      if (answer.length == line.length) {
        free.add(socket);
      }
      if (Arrays.equals(line, answer)) {
        return true;
      }
      problem = "what came back was not what was sent";
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      problem = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
    return false;
  }

  @Override
  public void close() {
    for (Socket socket : all) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is not needed any more.
      }
    }
  }
}
