import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.SequenceBarrier;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Programs with little to do, of which nothing is to be told. */
final class Quiet {
  private Quiet() {}

  /** A watcher of files that do not change. */
  @Programs.Healthy
  static void fileWatcher() throws IOException {
    Asked.service();
    Path folder = Files.createTempDirectory("watched");
    WatchService watcher = FileSystems.getDefault().newWatchService();
    folder.register(watcher, StandardWatchEventKinds.ENTRY_CREATE);
    Programs.repeat(1, () -> watcher.take().reset());
  }

  /** Events are collected until none has come for 200 ms; they come every 12 s. */
  @Programs.Healthy
  static void debounced() {
    BlockingQueue<Integer> events = new LinkedBlockingQueue<>();
    Programs.repeat(
        1,
        () -> {
          List<Integer> some = new ArrayList<>(List.of(events.take()));
          Integer next;
          while ((next = events.poll(200, TimeUnit.MILLISECONDS)) != null) {
            some.add(next);
          }
        });
    Programs.repeat(
        1,
        () -> {
          events.put(1);
          events.put(2);
          Programs.sleep(12);
        });
  }

  /** A pool of spare connections, one of which is used every five seconds. */
  @Programs.Healthy
  static void warmPool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:warm");
    config.setMaximumPoolSize(5);
    HikariDataSource pool = new HikariDataSource(config);
    Programs.repeat(
        3,
        () -> {
          try (Connection connection = pool.getConnection()) {
            connection.createStatement().execute("SELECT 1");
          }
          Programs.sleep(5);
        });
  }

  /** A scheduler with tasks of an hour from now, and one each second. */
  @Programs.Healthy
  static void scheduler() {
    ScheduledExecutorService scheduler =
        Executors.newScheduledThreadPool(4, Thread.ofVirtual().factory());
    for (int i = 0; i < 10; i++) {
      scheduler.scheduleAtFixedRate(() -> {}, i == 0 ? 0 : 3600, 1, TimeUnit.SECONDS);
    }
  }

  /** Fifty threads share one load of a cache, which takes eight seconds each time. */
  @Programs.Healthy
  static void slowLoads() {
    AsyncCache<Long, Integer> cache =
        Caffeine.newBuilder()
            .maximumSize(10)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .buildAsync();
    Programs.repeat(50, () -> cache.get(System.nanoTime() / 10_000_000_000L, Quiet::slow).join());
  }

  private static int slow(long key) {
    try {
      Programs.sleep(8);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return (int) key;
  }

  /** Ten threads share a permit that a timer hands out every six seconds. */
  @Programs.Healthy
  static void slowLimiter() {
    Semaphore permits = new Semaphore(0, true);
    Executors.newScheduledThreadPool(1, Programs::daemon)
        .scheduleAtFixedRate(permits::release, 0, 6, TimeUnit.SECONDS);
    Programs.repeat(10, permits::acquire);
  }

  /** A hundred subscribers wait at a condition, which is signalled every twelve seconds. */
  @Programs.Healthy
  static void subscribers() {
    ReentrantLock lock = new ReentrantLock();
    Condition published = lock.newCondition();
    Programs.repeat(
        100,
        () -> {
          lock.lock();
          try {
            published.await();
          } finally {
            lock.unlock();
          }
        });
    Programs.startPlatform(
        () -> {
          while (true) {
            Programs.sleep(12);
            lock.lock();
            published.signalAll();
            lock.unlock();
          }
        });
  }

  /** Workers wait for a latch until the program has started, after 20 s. */
  @Programs.Healthy
  static void slowStart() {
    CountDownLatch started = new CountDownLatch(1);
    Programs.start(
        10,
        () -> {
          started.await();
          while (true) {
            Programs.sleep(0.5);
          }
        });
    Programs.start(
        () -> {
          Programs.sleep(20);
          started.countDown();
        });
  }

  /** The threads of a cached pool have nothing to do for a while. */
  @Programs.Healthy
  static void cachedPool() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            0,
            100,
            60,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofVirtual().factory());
    for (int i = 0; i < 10; i++) {
      Programs.submit(pool, () -> Programs.sleep(0.1));
    }
    Programs.repeat(
        1,
        () -> {
          Programs.submit(pool, () -> Programs.sleep(0.1));
          Programs.sleep(15);
        });
  }

  /** Five consumers of a ring buffer wait for events, which come every ten seconds. */
  @Programs.Healthy
  static void ringBuffer() {
    RingBuffer<int[]> ring =
        RingBuffer.createMultiProducer(() -> new int[1], 16, new BlockingWaitStrategy());
    SequenceBarrier barrier = ring.newBarrier();
    Programs.start(
        5,
        () -> {
          long next = 0;
          while (true) {
            next = barrier.waitFor(next) + 1;
          }
        });
    Programs.repeat(
        1,
        () -> {
          ring.publish(ring.next());
          Programs.sleep(10);
        });
  }

  /** A main thread, a virtual one, joins the platform thread that accepts. */
  @Programs.Healthy
  static void acceptorJoined() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread acceptor = Programs.startPlatform(server::accept);
    Programs.start(acceptor::join);
  }

  /** Two threads exchange buffers, which takes one of them nine seconds. */
  @Programs.Healthy
  static void slowExchange() {
    Exchanger<Integer> exchanger = new Exchanger<>();
    Programs.repeat(1, () -> exchanger.exchange(1));
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(9);
          exchanger.exchange(2);
        });
  }

  /** One party of a phaser takes eleven seconds for each phase. */
  @Programs.Healthy
  static void slowPhases() {
    Phaser phaser = new Phaser(4);
    Programs.repeat(3, phaser::arriveAndAwaitAdvance);
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(11);
          phaser.arriveAndAwaitAdvance();
        });
  }

  /** Clients of an HTTP server keep their connections and ask every ten seconds. */
  @Programs.Healthy
  static void keptAlive() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.getAddress().getPort()))
            .build();
    Programs.repeat(
        5,
        () -> {
          client.send(request, HttpResponse.BodyHandlers.ofString());
          Programs.sleep(10);
        });
  }

  /** Two sides of ten connections read, and one writes a heartbeat every 15 s. */
  @Programs.Healthy
  static void heartbeats() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Programs.repeat(
        1,
        () -> {
          Socket socket = server.accept();
          Programs.repeat(1, socket.getInputStream()::read);
          Programs.repeat(
              1,
              () -> {
                Programs.sleep(15);
                socket.getOutputStream().write(1);
              });
        });
    Programs.start(
        10,
        () -> {
          Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
          while (socket.getInputStream().read() >= 0) {
            socket.getOutputStream().write(2);
          }
        });
  }

  /** A pipe of channels is read by a thread that gets a line every ten seconds. */
  @Programs.Healthy
  static void channelPipe() throws IOException {
    Pipe pipe = Pipe.open();
    ByteBuffer buffer = ByteBuffer.allocate(10);
    Programs.repeat(1, () -> pipe.source().read(buffer.clear()));
    Programs.repeat(
        1,
        () -> {
          pipe.sink().write(ByteBuffer.allocate(5));
          Programs.sleep(10);
        });
  }

  /** A fed queue's workers have done all, and the executor which fed it is closed in time. */
  @Programs.Healthy
  static void importDone() {
    Asked.service();
    BlockingQueue<Integer> rows = new LinkedBlockingQueue<>();
    Programs.repeat(
        4,
        () -> {
          rows.take();
          Programs.sleep(0.01);
        });
    Programs.start(
        () -> {
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
              Programs.submit(
                  executor,
                  () -> {
                    for (int j = 0; j < 50; j++) {
                      rows.put(j);
                      Programs.sleep(0.02);
                    }
                  });
            }
          }
        });
  }

  /** A pipeline of two stages, the source of which has read all of its small file at once. */
  @Programs.Healthy
  static void pipelineDone() {
    Asked.service();
    BlockingQueue<Integer> read = new LinkedBlockingQueue<>(5);
    BlockingQueue<Integer> parsed = new LinkedBlockingQueue<>(5);
    Programs.repeat(3, () -> parsed.put(read.take()));
    Programs.repeat(2, parsed::take);
    Programs.start(
        () -> {
          for (int i = 0; i < 100; i++) {
            read.put(i);
          }
        });
  }
}
