package samples.echo;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends each line back, with a virtual thread for each connection.
 *
 * <ul>
 *   <li>{@code addresses=N}: listens on 127.0.0.1 to 127.0.0.N, on one port. To one address and
 *       port a client can open no more connections than it has ports.
 *   <li>{@code write=plain}: a handler just writes. {@code write=monitor}: it writes and counts the
 *       line in a journal that all connections share, under the journal's monitor, so that the
 *       journal has the order of the answers. {@code write=lock}: the same under a lock.
 * </ul>
 *
 * <p>A line that begins with a question mark is not for the journal and takes no lock. When its
 * standard input ends, the server says what it has seen, and ends.
 */
public final class EchoServer {
  /** The most connections that wait to be accepted; the system cuts it to its own limit. */
  private static final int BACKLOG = 16_384;

  /** Enough for many lines; the system would grow it, which costs memory per connection. */
  private static final int SOCKET_BUFFER = 16 * 1_024;

  private static final int TRIES = 20;

  /** The ways in which a handler writes. */
  private enum Write {
    PLAIN,
    MONITOR,
    LOCK
  }

  private final Write write;
  private final CarrierCount carriers = new CarrierCount();
  private final Journal journal = new Journal();
  private final Lock lock = new ReentrantLock();
  private final LongAdder lines = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();
  private final AtomicReference<String> problem = new AtomicReference<>("");

  private EchoServer(Write write) {
    this.write = write;
  }

  /** The journal of all connections. */
  private static final class Journal {
    private long entries;
    private long bytes;

    void add(byte[] line) {
      entries++;
      bytes += line.length;
    }

    @Override
    public String toString() {
      return entries + " lines, " + bytes + " bytes";
    }
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    EchoOptions options = EchoOptions.of(Set.of("addresses", "write"), arguments);
    Write write =
        switch (options.text("write", "plain")) {
          case "plain" -> Write.PLAIN;
          case "monitor" -> Write.MONITOR;
          case "lock" -> Write.LOCK;
          default -> throw EchoOptions.wrong("write is plain, monitor or lock");
        };
    EchoServer server = new EchoServer(write);
    warmUp();
    List<ServerSocket> sockets = listen(options.number("addresses", 1));
    for (ServerSocket socket : sockets) {
      Thread.ofPlatform().daemon().name("accept").start(() -> server.accept(socket));
    }
    System.out.println("READY port=" + sockets.getFirst().getLocalPort());
    System.out.flush();
    server.untilInputEnds();
    System.out.println("RESULT " + server.result());
    // The handlers still wait for lines.
    System.exit(0);
  }

  /** Initializes the JDK's poller. Otherwise the first handlers pin their carriers meanwhile. */
  private static void warmUp() {
    try {
      Class.forName("sun.nio.ch.Poller");
    } catch (ClassNotFoundException e) {
      // Another JDK has another poller, and it may take longer to warm up.
    }
  }

  /** Opens one port on several addresses; another one if a program has it on one of them. */
  private static List<ServerSocket> listen(int addresses) throws IOException {
    for (int attempt = 1; ; attempt++) {
      List<ServerSocket> sockets = new ArrayList<>();
      try {
        for (int i = 1; i <= addresses; i++) {
          ServerSocket socket = new ServerSocket();
          sockets.add(socket);
          socket.setReceiveBufferSize(SOCKET_BUFFER);
          int port = i == 1 ? 0 : sockets.getFirst().getLocalPort();
          InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) i});
          socket.bind(new InetSocketAddress(address, port), BACKLOG);
        }
        return sockets;
      } catch (BindException e) {
        for (ServerSocket socket : sockets) {
          socket.close();
        }
        if (attempt == TRIES) {
          throw e;
        }
      }
    }
  }

  private void accept(ServerSocket socket) {
    try {
      while (true) {
        Socket client = socket.accept();
        Thread.ofVirtual().start(() -> handle(client));
      }
    } catch (IOException e) {
      failed(errors, "cannot accept: " + e.getMessage());
    }
  }

  private void handle(Socket client) {
    carriers.here();
    mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    try (client) {
      client.setTcpNoDelay(true);
      client.setSendBufferSize(SOCKET_BUFFER);
      EchoLines in = new EchoLines(client.getInputStream());
      OutputStream out = client.getOutputStream();
      for (byte[] line = in.next(); line != null; line = in.next()) {
        carriers.here();
        if (line[0] == '?') {
          out.write(line);
        } else {
          reply(out, line);
        }
        lines.increment();
        carriers.here();
      }
    } catch (IOException e) {
      failed(broken, "a connection broke: " + e.getMessage());
    } finally {
      open.decrementAndGet();
    }
  }

  private void reply(OutputStream out, byte[] line) throws IOException {
    switch (write) {
      case PLAIN -> out.write(line);
      case MONITOR -> {
        // The mistake: a client that does not read holds up the write, and so the journal.
        synchronized (journal) {
          journal.add(line);
          out.write(line);
        }
      }
      case LOCK -> {
        lock.lock();
        try {
          journal.add(line);
          out.write(line);
        } finally {
          lock.unlock();
        }
      }
    }
  }

  private void failed(LongAdder count, String what) {
    count.increment();
    if (problem.compareAndSet("", what)) {
      System.err.println(what);
    }
  }

  /** Samples the carriers meanwhile; an idle one lives much longer than the interval. */
  private void untilInputEnds() throws IOException, InterruptedException {
    Thread looking =
        Thread.ofPlatform()
            .daemon()
            .name("look")
            .start(
                () -> {
                  while (true) {
                    carriers.look();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                  }
                });
    while (System.in.read() >= 0) {
      // Only the end of the input matters.
    }
    if (!looking.isAlive()) {
      throw new IllegalStateException("nobody looked at the carriers");
    }
  }

  private String result() {
    int stillOpen = open.get();
    // So that the heap has only live objects: the connections.
    System.gc();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    int created = carriers.created();
    return "open="
        + stillOpen
        + " mostOpen="
        + mostOpen
        + " lines="
        + lines
        + " broken="
        + broken
        + " errors="
        + errors
        + " carriers="
        + carriers.seen()
        + " created="
        + created
        + " processors="
        + Runtime.getRuntime().availableProcessors()
        + " peakThreads="
        + ManagementFactory.getThreadMXBean().getPeakThreadCount()
        + " heapUsedBytes="
        + heap.getUsed()
        + " heapCommittedBytes="
        + heap.getCommitted();
  }
}
