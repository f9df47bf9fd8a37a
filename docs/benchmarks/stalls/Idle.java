import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.ReferenceQueue;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** Programs most of whose threads have nothing to do, as they should. */
final class Idle {
  private Idle() {}

  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
  }

  private static Socket connect(ServerSocket server) throws IOException {
    return new Socket(server.getInetAddress(), server.getLocalPort());
  }

  /** Accepts, and echoes on each connection, by a virtual thread each. */
  private static ServerSocket echo() throws IOException {
    ServerSocket server = server();
    Programs.repeat(
        1,
        () -> {
          Socket client = server.accept();
          Programs.start(
              () -> {
                InputStream in = client.getInputStream();
                OutputStream out = client.getOutputStream();
                for (int next = in.read(); next >= 0; next = in.read()) {
                  out.write(next);
                }
              });
        });
    return server;
  }

  /** Ten thousand threads wait for messages, each at a queue of its own. */
  @Programs.Healthy
  static void ownQueues() {
    for (int i = 0; i < 10_000; i++) {
      Programs.repeat(1, new LinkedBlockingQueue<>()::take);
    }
  }

  /** Fifty threads poll a queue, each for a second at a time. */
  @Programs.Healthy
  static void pollers() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(50, () -> queue.poll(1, TimeUnit.SECONDS));
  }

  /** Ten threads accept, and nobody connects. */
  @Programs.Healthy
  static void acceptors() throws IOException {
    for (int i = 0; i < 10; i++) {
      Programs.start(server()::accept);
    }
  }

  /** A main thread joins the acceptors of a server. */
  @Programs.Healthy
  static void joinedAcceptors() throws IOException {
    Thread acceptor = Programs.start(server()::accept);
    Programs.start(acceptor::join);
  }

  /** The main thread waits for a latch that is counted down at shutdown. */
  @Programs.Healthy
  static void latchOfMainThread() throws IOException {
    echo();
    CountDownLatch shutdown = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(shutdown::countDown));
    Programs.startPlatform(shutdown::await);
  }

  /** A scheduler of virtual threads has one task, a day from now. */
  @Programs.Healthy
  static void dailyTask() {
    ScheduledExecutorService scheduler =
        Executors.newScheduledThreadPool(2, Thread.ofVirtual().factory());
    scheduler.schedule(() -> {}, 1, TimeUnit.DAYS);
    Programs.start(new DelayQueue<>()::take);
  }

  /** A thousand threads sleep. */
  @Programs.Healthy
  static void sleepers() {
    Programs.start(1_000, Programs::sleepForEver);
  }

  /** Twenty connections of a server get one request at first, and then none for a minute. */
  @Programs.Healthy
  static void requestEachMinute() throws IOException {
    ServerSocket server = echo();
    Programs.start(
        20,
        () -> {
          try (Socket socket = connect(server)) {
            while (true) {
              socket.getOutputStream().write(1);
              socket.getInputStream().read();
              Programs.sleep(60);
            }
          }
        });
  }

  /** Two workers have nothing to do, beside requests each of which has a thread for a moment. */
  @Programs.Healthy
  static void workersBesideShortRequests() {
    LinkedBlockingQueue<Integer> mails = new LinkedBlockingQueue<>();
    Programs.repeat(2, mails::take);
    Programs.startPlatform(
        () -> {
          while (true) {
            Programs.start(() -> {});
            Programs.sleep(0.5);
          }
        });
  }

  /** Workers serve a queue for two seconds, and have nothing to do from then on. */
  @Programs.Healthy
  static void workersServedBefore() throws InterruptedException {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(10, queue::take);
    for (int i = 0; i < 200; i++) {
      queue.put(i);
      Programs.sleep(0.01);
    }
  }

  /** The threads of a cached pool of virtual threads wait for more tasks. */
  @Programs.Healthy
  static void idleThreadPool() {
    ExecutorService pool = Executors.newFixedThreadPool(10, Thread.ofVirtual().factory());
    for (int i = 0; i < 20; i++) {
      Programs.submit(pool, () -> Programs.sleep(0.1));
    }
  }

  /** Twenty threads poll a queue for 25 s at a time, or get a future for as long. */
  @Programs.Healthy
  static void longPoll() {
    SynchronousQueue<Integer> queue = new SynchronousQueue<>();
    Programs.repeat(10, () -> queue.poll(25, TimeUnit.SECONDS));
    Programs.repeat(
        10,
        () -> new CompletableFuture<Integer>().completeOnTimeout(1, 25, TimeUnit.SECONDS).get());
  }

  /** Ten clients ask once by sockets, and keep their connections; both sides wait to read. */
  @Programs.Healthy
  static void quietConnections() throws IOException {
    ServerSocket server = echo();
    Programs.start(
        10,
        () -> {
          try (Socket socket = connect(server)) {
            socket.getOutputStream().write(1);
            int next;
            do {
              next = socket.getInputStream().read();
            } while (next >= 0);
          }
        });
  }

  /** Fifty clients read from sockets of a server that sends a message now and then. */
  @Programs.Healthy
  static void webSocketReaders() throws IOException {
    ServerSocket server = server();
    Programs.repeat(
        1,
        () -> {
          Socket client = server.accept();
          Programs.repeat(
              1,
              () -> {
                client.getOutputStream().write(1);
                Programs.sleep(20);
              });
        });
    Programs.start(
        50,
        () -> {
          try (Socket socket = connect(server)) {
            while (true) {
              socket.getInputStream().read();
            }
          }
        });
  }

  /** One thread waits for datagrams, one in a selector and one for references. */
  @Programs.Healthy
  static void otherReceivers() throws IOException {
    DatagramSocket socket = new DatagramSocket();
    Programs.repeat(1, () -> socket.receive(new DatagramPacket(new byte[10], 10)));
    Selector selector = Selector.open();
    Programs.repeat(1, selector::select);
    Programs.repeat(1, new ReferenceQueue<>()::remove);
  }

  /** A thread reads commands from standard input, and nobody types any. */
  @Programs.Healthy
  static void console() {
    Programs.start(System.in::read);
  }

  /** A thread waits for a child process that runs for most of the time. */
  @Programs.Healthy
  static void childProcess() throws IOException {
    Process child = new ProcessBuilder("sleep", "" + Programs.duration().toSeconds()).start();
    Programs.start(child::waitFor);
  }

  /** A program with idle threads of all sorts is suspended for a while. */
  @Programs.Healthy(suspended = true)
  static void suspended() throws IOException, InterruptedException {
    sleepers();
    pollers();
    requestEachMinute();
    Programs.repeat(
        20,
        () -> {
          CompletableFuture<Integer> soon = new CompletableFuture<>();
          soon.completeOnTimeout(1, 2, TimeUnit.SECONDS).get();
        });
    workersServedBefore();
  }
}
