package samples.crawler;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Answers {@code GET /SITE/PAGE?delay=MICROS} with a page of 100 links, after the delay. One thread
 * handles all input and another one all answers that are due, with neither a thread nor a lock per
 * request. The crawler is to be measured, so the server takes as little as possible of the
 * processors that both share. It counts what it takes.
 *
 * <p>{@code GET /stats} tells what it has done so far; {@code GET /stop}, or the end of its
 * standard input, ends it.
 */
public final class Server {
  private static final int LONGEST_REQUEST = 4_096;
  private static final String DELAY = "?delay=";

  private final ServerSocketChannel listening;
  private final Selector selector;
  private final DelayQueue<Answer> waiting = new DelayQueue<>();
  private final byte[][] pages = new byte[Page.PAGES][];
  private final LongAdder delayed = new LongAdder();
  private final LongAdder delayedNanos = new LongAdder();
  private final LongAdder errors = new LongAdder();
  // The other fields belong to the thread that serves.
  private long requests;
  private long connections;
  private long open;
  private long mostOpen;
  private boolean stopped;

  /** A connection, and the part of a request that has arrived. */
  private static final class Client {
    final ByteBuffer in = ByteBuffer.allocate(LONGEST_REQUEST);
  }

  /** An answer that is not due yet. */
  private record Answer(SocketChannel to, ByteBuffer bytes, long asked, long due)
      implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.signum(due - ((Answer) other).due);
    }
  }

  private Server() throws IOException {
    selector = Selector.open();
    listening = ServerSocketChannel.open();
    listening.configureBlocking(false);
    // The kernel cuts the backlog to what it allows: all tasks may connect at once.
    listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1 << 16);
    listening.register(selector, SelectionKey.OP_ACCEPT);
  }

  public static void main(String[] args) throws Exception {
    Options.of(args);
    Server server = new Server();
    Thread.ofPlatform().daemon().name("answers").start(server::answerWhatIsDue);
    Thread.ofPlatform().daemon().name("end-of-input").start(server::endWithInput);
    System.out.println("READY port=" + server.listening.socket().getLocalPort());
    server.serve();
    System.out.println("RESULT " + server.stats());
  }

  private void serve() throws IOException {
    while (!stopped && listening.isOpen()) {
      selector.select();
      Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
      while (keys.hasNext()) {
        SelectionKey key = keys.next();
        keys.remove();
        if (key.isValid() && key.isAcceptable()) {
          accept();
        } else if (key.isValid()) {
          read(key);
        }
      }
    }
  }

  private void accept() throws IOException {
    for (SocketChannel each = listening.accept(); each != null; each = listening.accept()) {
      each.configureBlocking(false);
      each.setOption(StandardSocketOptions.TCP_NODELAY, true);
      each.register(selector, SelectionKey.OP_READ, new Client());
      connections++;
      open++;
      mostOpen = Math.max(mostOpen, open);
    }
  }

  private void read(SelectionKey key) {
    SocketChannel channel = (SocketChannel) key.channel();
    ByteBuffer in = ((Client) key.attachment()).in;
    try {
      if (channel.read(in) < 0 || !in.hasRemaining()) {
        close(channel);
      } else if (isWhole(in)) {
        String request = StandardCharsets.ISO_8859_1.decode(in.flip()).toString();
        in.clear();
        answer(channel, request.split(" ", 3)[1]);
      }
    } catch (IOException e) {
      close(channel);
    }
  }

  /** Returns whether a request is complete. A GET has no body: it ends with its empty line. */
  private static boolean isWhole(ByteBuffer in) {
    int end = in.position();
    return end >= 4
        && in.get(end - 4) == '\r'
        && in.get(end - 3) == '\n'
        && in.get(end - 2) == '\r'
        && in.get(end - 1) == '\n';
  }

  private void answer(SocketChannel channel, String target) {
    int query = target.indexOf(DELAY);
    int page = query < 0 ? -1 : Page.number(target.substring(0, query));
    if (page >= 0) {
      long now = System.nanoTime();
      long micros = Long.parseLong(target.substring(query + DELAY.length()));
      requests++;
      if (micros == 0) {
        send(channel, ByteBuffer.wrap(page(page)));
      } else {
        long due = now + TimeUnit.MICROSECONDS.toNanos(micros);
        waiting.add(new Answer(channel, ByteBuffer.wrap(page(page)), now, due));
      }
    } else if (target.equals("/stats") || target.equals("/stop")) {
      stopped = target.equals("/stop");
      byte[] stats = stats().getBytes(StandardCharsets.UTF_8);
      send(channel, ByteBuffer.wrap(response("200 OK", stats)));
    } else {
      errors.increment();
      send(channel, ByteBuffer.wrap(response("404 Not Found", new byte[0])));
    }
  }

  private byte[] page(int number) {
    if (pages[number] == null) {
      pages[number] = response("200 OK", Page.html(number));
    }
    return pages[number];
  }

  private static byte[] response(String status, byte[] body) {
    byte[] head =
        ("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = new byte[head.length + body.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return whole;
  }

  private void answerWhatIsDue() {
    try {
      while (true) {
        Answer answer = waiting.take();
        delayed.increment();
        delayedNanos.add(System.nanoTime() - answer.asked());
        send(answer.to(), answer.bytes());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(SocketChannel channel, ByteBuffer out) {
    try {
      // One answer at a time fits into a connection's buffer, so this never waits.
      while (out.hasRemaining()) {
        channel.write(out);
      }
    } catch (IOException e) {
      // The client did not wait for its answer, and reports that itself.
      errors.increment();
    }
  }

  private void close(SocketChannel channel) {
    open--;
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed in any case.
    }
  }

  private void endWithInput() {
    try {
      while (System.in.read() >= 0) {
        // An error here tells nothing.
      }
      listening.close();
    } catch (IOException e) {
      // The same as at its end.
    }
    selector.wakeup();
  }

  private String stats() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long late = delayed.sum();
    return String.format(
        "requests=%d connections=%d mostOpen=%d"
            + " delayed=%d delayedMicros=%d cpuMillis=%d errors=%d",
        requests,
        connections,
        mostOpen,
        late,
        TimeUnit.NANOSECONDS.toMicros(delayedNanos.sum()),
        TimeUnit.NANOSECONDS.toMillis(system.getProcessCpuTime()),
        errors.sum());
  }
}
