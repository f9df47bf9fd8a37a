package samples.echo;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Opens connections to the server, sends a line on each, compares the answer byte for byte, and
 * keeps all of them open until its standard input ends.
 *
 * <ul>
 *   <li>{@code port=N}, {@code addresses=N}: where the server listens
 *   <li>{@code connections=N}: the number of connections
 *   <li>{@code first=N}: the number of the first, so that no two crowds send the same line
 * </ul>
 */
public final class EchoCrowd {
  /** The connections that are opened at a time: fewer than any system lets wait to be accepted. */
  private static final int AT_ONCE = 128;

  private static final int SOCKET_BUFFER = 4 * 1_024;
  private static final int CONNECT_MILLIS = 60_000;
  private static final int ANSWER_MILLIS = 60_000;

  private final int port;
  private final int addresses;
  private final int first;
  private final Socket[] sockets;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicReference<String> problem = new AtomicReference<>();

  private EchoCrowd(EchoOptions options) {
    port = options.number("port", 0);
    addresses = options.number("addresses", 1);
    first = options.number("first", 1);
    sockets = new Socket[options.number("connections", 1_000)];
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    EchoCrowd crowd =
        new EchoCrowd(
            EchoOptions.of(Set.of("port", "addresses", "connections", "first"), arguments));
    long start = System.nanoTime();
    crowd.open();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    if (crowd.problem.get() != null) {
      System.err.println(crowd.problem.get());
      System.exit(1);
    }
    System.out.println("READY port=0");
    System.out.flush();
    while (System.in.read() >= 0) {
      // Only the end of the input matters.
    }
    System.out.println(
        "RESULT connections="
            + crowd.sockets.length
            + " errors=0 millis="
            + millis
            + " heapUsedBytes="
            + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    System.exit(0);
  }

  private void open() throws InterruptedException {
    int workers = Math.min(AT_ONCE, sockets.length);
    CountDownLatch done = new CountDownLatch(workers);
    for (int i = 0; i < workers; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  openSome();
                } finally {
                  done.countDown();
                }
              });
    }
    done.await();
  }

  private void openSome() {
    for (int i = next.getAndIncrement();
        i < sockets.length && problem.get() == null;
        i = next.getAndIncrement()) {
      try {
        sockets[i] = open(i);
      } catch (IOException e) {
        problem.compareAndSet(null, "connection " + (first + i) + ": " + e.getMessage());
      }
    }
  }

  private Socket open(int number) throws IOException {
    InetAddress address =
        InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (1 + number % addresses)});
    Socket socket = new Socket();
    socket.setReceiveBufferSize(SOCKET_BUFFER);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(ANSWER_MILLIS);
    socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
    byte[] line =
        ("line of connection " + (first + number) + ", not to be mixed up\n")
            .getBytes(StandardCharsets.US_ASCII);
    socket.getOutputStream().write(line);
    byte[] answer = socket.getInputStream().readNBytes(line.length);
    if (!Arrays.equals(line, answer)) {
      throw new IOException("sent " + line.length + " bytes, and something else came back");
    }
    return socket;
  }
}
