import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * An HTTP server and its clients, all on virtual threads, in one JVM: 64 connections in a closed loop, an answer of 200
 * bytes after 1 ms of waiting. Nothing here pins. Prints operations a second.
 */
public class HttpServing {
  static final LongAdder DONE = new LongAdder();

  public static void main(String[] args) throws Exception {
    int seconds = Integer.parseInt(args[0]);
    // Head and body are two writes; with Nagle's algorithm each answer would wait 40 ms for an ACK.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    byte[] body = "x".repeat(200).getBytes(StandardCharsets.US_ASCII);
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try {
            Thread.sleep(1);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          exchange.sendResponseHeaders(200, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    for (int i = 0; i < 64; i++) {
      Thread.startVirtualThread(() -> client(server.getAddress()));
    }
    Thread.sleep(4_000);
    long before = DONE.sum();
    long begin = System.nanoTime();
    Thread.sleep(seconds * 1_000L);
    System.out.printf("%.1f%n", (DONE.sum() - before) / ((System.nanoTime() - begin) / 1e9));
    System.exit(0);
  }

  static void client(InetSocketAddress address) {
    byte[] request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        socket.getOutputStream().write(request);
        int newlines = 0;
        while (newlines < 4) {
          int c = in.read();
          newlines = c == '\r' || c == '\n' ? newlines + 1 : 0;
        }
        in.readNBytes(200);
        DONE.increment();
      }
    } catch (Exception e) {
      // The JVM is ending.
    }
  }
}
