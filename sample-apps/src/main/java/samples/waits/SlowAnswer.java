package samples.waits;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/**
 * 100 virtual threads that ask an HTTP server which takes 200 ms for an answer. In the twin it
 * answers at once, and the thread waits between two calls.
 */
public final class SlowAnswer {
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

  public static void main(String[] args) throws Exception {
    var server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("server").start(() -> accept(server));
    Crowd.repeat(100, () -> ask(server.getLocalPort()));
  }

  private static void ask(int port) throws IOException {
    if (Crowd.healthy()) {
      Crowd.work(200);
    }
    URL url = URI.create("http://127.0.0.1:" + port + "/").toURL();
    try (InputStream answer = url.openConnection().getInputStream()) {
      if (answer.readAllBytes().length != 2) {
        throw new IOException("no answer");
      }
    }
  }

  /** Accepts on platform threads, which cannot be mistaken for the clients. */
  private static void accept(ServerSocket server) {
    try {
      while (true) {
        Socket client = server.accept();
        Thread.ofPlatform().daemon().name("server-connection").start(() -> answer(client));
      }
    } catch (IOException e) {
      // The program is over.
    }
  }

  private static void answer(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = client.getInputStream();
      int newlines = 0;
      for (int c = in.read(); c >= 0; c = in.read()) {
        newlines = c == '\n' ? newlines + 1 : c == '\r' ? newlines : 0;
        if (newlines == 2) {
          newlines = 0;
          if (!Crowd.healthy()) {
            Crowd.work(200);
          }
          client.getOutputStream().write(ANSWER);
        }
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private SlowAnswer() {}
}
