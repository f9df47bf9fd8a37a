import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;

/**
 * An HTTP server with a virtual thread a connection, and its clients, in one JVM: 64 connections in
 * a closed loop, an answer of 200 bytes after 1 ms of waiting and the given microseconds of work.
 * Nothing here takes a monitor. (The JDK's own HttpServer will not do: its monitors are contended,
 * and waiting to enter one keeps the carrier on 21.) Prints the processor time of a request, and
 * requests a second.
 */
public class HttpServing {
  static final LongAdder DONE = new LongAdder();
  static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  static final byte[] RESPONSE =
      ("HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n" + "x".repeat(200))
          .getBytes(StandardCharsets.US_ASCII);

  /** Of three shifts, each of which needs what the one before gave: about a nanosecond and a half. */
  static final long STEPS_PER_MICROSECOND = 650;

  static long steps;
  static volatile long sink;

  public static void main(String[] args) throws Exception {
    int seconds = Integer.parseInt(args[0]);
    steps = Long.parseLong(args[1]) * STEPS_PER_MICROSECOND;
    ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(() -> accept(server));
    for (int i = 0; i < 64; i++) {
      Thread.startVirtualThread(() -> client(server.getLocalPort()));
    }
    WarmUp.await();
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long processor = system.getProcessCpuTime();
    long before = DONE.sum();
    long begin = System.nanoTime();
    Thread.sleep(seconds * 1_000L);
    System.out.printf(
        "%.3f us of processor time a request%n",
        (system.getProcessCpuTime() - processor) / 1e3 / (DONE.sum() - before));
    System.out.printf("%.1f%n", (DONE.sum() - before) / ((System.nanoTime() - begin) / 1e9));
    System.exit(0);
  }

  static void accept(ServerSocket server) {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread.startVirtualThread(() -> serve(socket));
      }
    } catch (IOException e) {
      // The JVM is ending.
    }
  }

  static void serve(Socket connection) {
    try (Socket socket = connection) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (readHead(in)) {
        Thread.sleep(1);
        work();
        out.write(RESPONSE);
      }
    } catch (IOException | InterruptedException e) {
      // The JVM is ending.
    }
  }

  static void client(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        socket.getOutputStream().write(REQUEST);
        readHead(in);
        in.readNBytes(200);
        DONE.increment();
      }
    } catch (IOException e) {
      // The JVM is ending.
    }
  }

  /** By steps and not by the clock, which goes on while the carrier has no processor. */
  static void work() {
    long value = System.nanoTime();
    for (long i = 0; i < steps; i++) {
      // A compiler makes one multiplication and one addition out of many.
      value ^= value << 13;
      value ^= value >>> 7;
      value ^= value << 17;
    }
    sink = value;
  }

  /** Reads up to the empty line; false at the end of the stream. */
  static boolean readHead(InputStream in) throws IOException {
    int newlines = 0;
    while (newlines < 4) {
      int c = in.read();
      if (c < 0) {
        return false;
      }
      newlines = c == '\r' || c == '\n' ? newlines + 1 : 0;
    }
    return true;
  }
}
