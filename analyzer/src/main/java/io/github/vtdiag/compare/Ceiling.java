package io.github.vtdiag.compare;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The request rate that the load generator alone reaches on this machine, measured against a server
 * in this process that does nothing. That server uses part of the processors too, so the generator
 * can do at least this.
 */
final class Ceiling {
  private static final long WARM_UP_NANOS = 1_000_000_000;
  private static final long DURATION_NANOS = 2_000_000_000;
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int BACKLOG = 1_024;

  private Ceiling() {}

  /**
   * Measures it, for no longer than a run.
   *
   * @param runWarmUpNanos how long a run sends requests that do not count
   * @param runNanos how long it sends those that do
   */
  static double measure(int users, long runWarmUpNanos, long runNanos)
      throws IOException, InterruptedException {
    long warmUpNanos = Math.min(WARM_UP_NANOS, runWarmUpNanos);
    long durationNanos = Math.min(DURATION_NANOS, runNanos);
    try (ServerSocket server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().name("ceiling").start(() -> accept(server));
      URI uri =
          URI.create(
              "http://"
                  + server.getInetAddress().getHostAddress()
                  + ":"
                  + server.getLocalPort()
                  + "/");
      try (HttpTarget target = new HttpTarget(uri, Duration.ofSeconds(5))) {
        LoadResult result =
            new LoadGenerator(
                    new Load.Closed(users), target, Clock.SYSTEM, warmUpNanos, durationNanos)
                .run(DURATION_NANOS, () -> false);
        return Rate.of((double) result.answered(), durationNanos).perSecond();
      }
    }
  }

  private static void accept(ServerSocket server) {
    try {
      while (true) {
        Socket client = server.accept();
        Thread.ofVirtual().name("ceiling-connection").start(() -> answer(client));
      }
    } catch (IOException e) {
      // Closed: the measurement is over.
    }
  }

  private static void answer(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = client.getOutputStream();
      while (readRequest(in)) {
        out.write(ANSWER);
      }
    } catch (IOException e) {
      // The client has gone.
    }
  }

  /** Skips a request up to the empty line that ends it; a GET has no body. */
  private static boolean readRequest(InputStream in) throws IOException {
    int lineLength = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b == '\n') {
        if (lineLength == 0) {
          return true;
        }
        lineLength = 0;
      } else if (b != '\r') {
        lineLength++;
      }
    }
    return false;
  }
}
