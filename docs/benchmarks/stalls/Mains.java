import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Platform threads that wait alone, such as a main thread for the work of virtual threads. */
final class Mains {
  private static final LongAdder ROUNDS = new LongAdder();
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();

  private Mains() {}

  private static void main(Programs.Body body) {
    Thread.ofPlatform()
        .name("main-like")
        .start(
            () -> {
              try {
                body.run();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

  /** Ten virtual threads do their parts; one of them fails and does not count the latch down. */
  @Programs.StandsStill("CountDownLatch")
  static void mainAwaitsFailedWorkers() {
    main(
        () -> {
          CountDownLatch done = new CountDownLatch(10);
          for (int i = 0; i < 10; i++) {
            int part = i;
            Programs.start(
                () -> {
                  Programs.sleep(0.5);
                  if (part == 3) {
                    throw new IOException("part " + part);
                  }
                  done.countDown();
                });
          }
          done.await();
          ROUNDS.increment();
        });
  }

  /** The main thread looks each second whether all is done, and one part has failed. */
  @Programs.StandsStill("CountDownLatch")
  static void mainAwaitsAgain() {
    main(
        () -> {
          CountDownLatch done = new CountDownLatch(2);
          Programs.start(
              () -> {
                Programs.sleep(0.5);
                done.countDown();
              });
          Programs.start(
              () -> {
                Programs.sleep(0.5);
                Integer.parseInt("one");
                done.countDown();
              });
          while (!done.await(1, TimeUnit.SECONDS)) {
            ROUNDS.increment();
          }
        });
  }

  private static HttpServer server() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    KEPT.add(server);
    return server;
  }

  private static void clientOf(HttpServer server) {
    HttpClient client = HttpClient.newHttpClient();
    KEPT.add(client);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .build();
    Programs.repeat(
        1,
        () -> {
          client.send(request, HttpResponse.BodyHandlers.discarding());
          Programs.sleep(0.5);
        });
  }

  /** A server serves requests on virtual threads, and its main thread awaits a latch. */
  @Programs.Healthy
  static void mainOfServer() throws IOException {
    clientOf(server());
    CountDownLatch stop = new CountDownLatch(1);
    KEPT.add(stop);
    main(stop::await);
  }

  /** The same, without any request. */
  @Programs.Healthy
  static void mainOfIdleServer() throws IOException {
    server();
    CountDownLatch stop = new CountDownLatch(1);
    KEPT.add(stop);
    main(stop::await);
  }

  /** A main thread joins itself. */
  @Programs.Healthy
  static void mainJoinsItself() throws IOException {
    clientOf(server());
    main(() -> Thread.currentThread().join());
  }

  /** A server whose main thread waits until it is shut down, as the one of gRPC does. */
  private static final class Server {
    private boolean terminated;

    synchronized void blockUntilShutdown() throws InterruptedException {
      while (!terminated) {
        wait();
      }
    }

    synchronized void shutdown() {
      terminated = true;
      notifyAll();
    }
  }

  @Programs.Healthy
  static void mainBlocksUntilShutdown() throws IOException {
    clientOf(server());
    Server server = new Server();
    KEPT.add(server);
    main(server::blockUntilShutdown);
  }

  /** A future keeps the program alive, and each second a log line is written. */
  @Programs.Healthy
  static void mainJoinsFutureOfEnd() throws IOException {
    clientOf(server());
    CompletableFuture<Integer> end = new CompletableFuture<>();
    KEPT.add(end);
    main(end::join);
  }

  /** Two parts of a program keep it alive by one latch, while it serves requests. */
  @Programs.Healthy
  static void twoKeepAlive() throws IOException {
    clientOf(server());
    CountDownLatch stop = new CountDownLatch(1);
    KEPT.add(stop);
    for (int i = 0; i < 2; i++) {
      main(() -> stop.await());
    }
  }

  /** The same by an acceptor whose connections virtual threads serve. */
  @Programs.Healthy
  static void twoKeepAcceptorAlive() throws IOException {
    ServerSocket acceptor = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    KEPT.add(acceptor);
    Programs.startPlatform(
        () -> {
          while (true) {
            Socket socket = acceptor.accept();
            Programs.start(
                () -> {
                  socket.getOutputStream().write(socket.getInputStream().read());
                  socket.close();
                });
          }
        });
    Programs.repeat(
        1,
        () -> {
          try (Socket socket = new Socket(acceptor.getInetAddress(), acceptor.getLocalPort())) {
            socket.getOutputStream().write(1);
            ROUNDS.add(socket.getInputStream().read());
          }
          Programs.sleep(0.5);
        });
    CountDownLatch stop = new CountDownLatch(1);
    KEPT.add(stop);
    for (int i = 0; i < 2; i++) {
      main(() -> stop.await());
    }
  }

  /** A main thread waits until both servers of the program have stopped. */
  @Programs.Healthy
  static void mainOfTwoServers() throws IOException {
    HttpServer first = server();
    HttpServer second = server();
    clientOf(first);
    clientOf(second);
    main(
        () -> {
          CountDownLatch stopped = new CountDownLatch(2);
          KEPT.add((Runnable) stopped::countDown);
          stopped.await();
        });
  }

  /** A main thread waits for two workers, which take work from a queue until the end. */
  @Programs.Healthy
  static void mainOfWorkers() {
    main(
        () -> {
          LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>();
          KEPT.add(work);
          CountDownLatch ended = new CountDownLatch(2);
          Programs.start(
              2,
              () -> {
                try {
                  while (true) {
                    ROUNDS.add(work.take());
                  }
                } finally {
                  ended.countDown();
                }
              });
          Programs.repeat(
              1,
              () -> {
                work.put(1);
                Programs.sleep(3);
              });
          ended.await();
        });
  }

  /** Each second a scheduler starts virtual threads, and a main thread awaits the end. */
  @Programs.Healthy
  static void mainOfScheduler() {
    ScheduledExecutorService scheduler =
        Executors.newSingleThreadScheduledExecutor(Programs::daemon);
    KEPT.add(scheduler);
    scheduler.scheduleAtFixedRate(
        () -> Programs.start(() -> Programs.sleep(0.2)), 0, 1, TimeUnit.SECONDS);
    CountDownLatch stop = new CountDownLatch(1);
    KEPT.add(stop);
    main(stop::await);
  }

  /** A main thread awaits ten threads that go on for a long time. */
  @Programs.Healthy
  static void mainAwaitsLongWork() {
    main(
        () -> {
          CountDownLatch done = new CountDownLatch(10);
          for (int i = 0; i < 10; i++) {
            Programs.start(
                () -> {
                  Asked.work(Asked.LONGER_THAN_ALL);
                  done.countDown();
                });
          }
          done.await();
        });
  }

  /** A main thread waits in rounds for workers, of which one after the other is done. */
  @Programs.Healthy
  static void mainAwaitsRounds() {
    main(
        () -> {
          while (true) {
            CountDownLatch done = new CountDownLatch(4);
            AtomicInteger parts = new AtomicInteger();
            for (int i = 0; i < 4; i++) {
              Programs.start(
                  () -> {
                    Programs.sleep(1 + parts.incrementAndGet());
                    done.countDown();
                  });
            }
            while (!done.await(1, TimeUnit.SECONDS)) {
              ROUNDS.increment();
            }
          }
        });
  }

  /** Requests on platform threads get their permit after a while, within several timeouts. */
  @Programs.Healthy
  static void platformRequestsServedLate() {
    Asked.service();
    Semaphore permits = new Semaphore(1);
    ExecutorService pool = Executors.newFixedThreadPool(4, Programs::daemon);
    KEPT.add(pool);
    for (int i = 0; i < 4; i++) {
      Programs.submit(
          pool,
          () -> {
            while (true) {
              while (!permits.tryAcquire(1, TimeUnit.SECONDS)) {
                ROUNDS.increment();
              }
              Programs.sleep(3);
              permits.release();
            }
          });
    }
  }
}
