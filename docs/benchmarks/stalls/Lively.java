import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.netty.util.HashedWheelTimer;
import io.reactivex.rxjava3.core.Observable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import reactor.core.publisher.Flux;

/** Programs that go on, and look like those of {@link Reported} and {@link Clients}. */
final class Lively {
  private Lively() {}

  /** A consumer of Kafka polls for the messages of a topic, and no broker is there. */
  @Programs.Healthy
  static void kafkaPoller() {
    Programs.start(
        () -> {
          var consumer =
              new KafkaConsumer<>(
                  Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "group"),
                  new StringDeserializer(),
                  new StringDeserializer());
          consumer.subscribe(List.of("topic"));
          while (true) {
            consumer.poll(Duration.ofSeconds(1));
          }
        });
  }

  /** Twenty clients use three pooled connections for half a second each. */
  @Programs.Healthy
  static void pooledWork() {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl("jdbc:h2:mem:lively");
    pool.setMaximumPoolSize(3);
    Programs.repeat(
        20,
        () -> {
          try (Connection connection = pool.getConnection()) {
            Programs.sleep(0.5);
            connection.createStatement().close();
          }
        });
  }

  /** Connections of HttpClient 5 are kept alive between requests that come every ten seconds. */
  @Programs.Healthy
  static void keptAliveClient() throws IOException {
    CloseableHttpClient client = HttpClients.createDefault();
    String url = server(0.01);
    Programs.repeat(
        2,
        () -> {
          client.execute(new HttpGet(url), response -> response.getCode());
          Programs.sleep(10);
        });
  }

  private static String server(double seconds) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try {
            Programs.sleep(seconds);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes());
          exchange.close();
        });
    server.start();
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** A server of this JVM answers each long poll of OkHttp after 22 seconds. */
  @Programs.Healthy
  static void longPollByOkHttp() throws IOException {
    OkHttpClient client = new OkHttpClient.Builder().readTimeout(Duration.ZERO).build();
    String url = server(22);
    Programs.repeat(
        3,
        () -> {
          try (Response response =
              client.newCall(new Request.Builder().url(url).build()).execute()) {
            response.body().string();
          }
        });
  }

  /** A batch computes by platform threads for most of the time, and a virtual thread joins it. */
  @Programs.Healthy
  static void batchOfStages() {
    long end = System.nanoTime() + Programs.duration().toNanos() * 3 / 4;
    CompletableFuture<Integer> sum =
        CompletableFuture.supplyAsync(() -> compute(end), Executors.newCachedThreadPool(Programs::daemon));
    Programs.start(sum::join);
  }

  private static int compute(long end) {
    int sum = 0;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 100_000; i++) {
        sum = sum * 31 + i;
      }
      Thread.yield();
    }
    return sum;
  }

  /** A task of a fork-join pool computes for most of the time, and a virtual thread joins it. */
  @Programs.Healthy
  static void batchOfForkJoin() {
    long end = System.nanoTime() + Programs.duration().toNanos() * 3 / 4;
    ForkJoinPool pool = new ForkJoinPool(1);
    Programs.start(() -> pool.submit(() -> compute(end)).join());
  }

  /** A pool is shut down, and its tasks of ten seconds each are awaited. */
  @Programs.Healthy
  static void poolShutDown() {
    ExecutorService pool = Executors.newFixedThreadPool(2, Thread.ofVirtual().factory());
    for (int i = 0; i < 6; i++) {
      Programs.submit(pool, () -> Programs.sleep(9));
    }
    pool.shutdown();
    Programs.start(() -> pool.awaitTermination(1, TimeUnit.HOURS));
  }

  /** Threads take what RxJava and Reactor emit every six seconds. */
  @Programs.Healthy
  static void seldomElements() {
    Programs.start(() -> Observable.interval(6, TimeUnit.SECONDS).blockingForEach(each -> {}));
    Programs.start(
        () -> Flux.interval(Duration.ofSeconds(6)).toIterable().forEach(each -> {}));
  }

  /** Calls through a bulkhead of two take seven seconds each, and twelve threads make them. */
  @Programs.Healthy
  static void slowCallsThroughBulkhead() {
    Bulkhead bulkhead =
        Bulkhead.of(
            "orders",
            BulkheadConfig.custom()
                .maxConcurrentCalls(2)
                .maxWaitDuration(Duration.ofHours(1))
                .build());
    Programs.repeat(
        12,
        () -> {
          bulkhead.acquirePermission();
          try {
            Programs.sleep(7);
          } finally {
            bulkhead.releasePermission();
          }
        });
  }

  /** An executor of Spring runs two tasks at a time, each for three seconds. */
  @Programs.Healthy
  static void throttledTasks() {
    SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor();
    executor.setVirtualThreads(true);
    executor.setConcurrencyLimit(2);
    Programs.repeat(
        4,
        () ->
            executor.execute(
                () -> {
                  try {
                    Programs.sleep(3);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }));
  }

  private record Tomorrow(long atNanos) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(atNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  /** Threads wait for what is due tomorrow: of a queue, a scheduler, Netty's timer, by sleep. */
  @Programs.Healthy
  static void dueTomorrow() {
    DelayQueue<Tomorrow> queue = new DelayQueue<>();
    queue.add(new Tomorrow(System.nanoTime() + TimeUnit.DAYS.toNanos(1)));
    Programs.repeat(2, queue::take);
    ScheduledExecutorService scheduler =
        Executors.newScheduledThreadPool(2, Thread.ofVirtual().factory());
    scheduler.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.DAYS);
    HashedWheelTimer timer = new HashedWheelTimer(Thread.ofVirtual().factory());
    timer.newTimeout(same -> {}, 1, TimeUnit.DAYS);
    Programs.repeat(1, () -> Thread.sleep(Duration.ofDays(1)));
  }

  /** Readers hold a lock for eight seconds each, and a writer gets its turn in between. */
  @Programs.Healthy
  static void longReaders() {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    Programs.repeat(
        3,
        () -> {
          lock.readLock().lock();
          Programs.sleep(8);
          lock.readLock().unlock();
        });
    Programs.repeat(
        1,
        () -> {
          lock.writeLock().lock();
          Programs.sleep(1);
          lock.writeLock().unlock();
        });
  }

  /** A Timer and a scheduler bring something every nine seconds, to workers that take it. */
  @Programs.Healthy
  static void slowTimers() {
    LinkedBlockingQueue<Integer> ticks = new LinkedBlockingQueue<>();
    Programs.repeat(3, ticks::take);
    new Timer(true)
        .schedule(
            new TimerTask() {
              @Override
              public void run() {
                ticks.add(1);
              }
            },
            100,
            9_000);
    Executors.newScheduledThreadPool(1, Programs::daemon)
        .scheduleAtFixedRate(() -> ticks.add(1), 1, 9, TimeUnit.SECONDS);
  }

  /** One task of a scheduler fails and is run no more; another one goes on to feed its queue. */
  @Programs.Healthy
  static void otherTaskFailed() {
    LinkedBlockingQueue<Integer> ticks = new LinkedBlockingQueue<>();
    Programs.repeat(3, ticks::take);
    ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1, Programs::daemon);
    scheduler.scheduleAtFixedRate(() -> ticks.add(1), 1, 12, TimeUnit.SECONDS);
    scheduler.schedule(() -> Integer.parseInt("no number"), 3, TimeUnit.SECONDS);
  }

  /** The handler of a Disruptor takes two seconds for an event, and its ring is full. */
  @Programs.Healthy
  static void slowRing() {
    Disruptor<int[]> disruptor = new Disruptor<>(() -> new int[1], 8, Programs::daemon);
    disruptor.handleEventsWith((event, sequence, end) -> Programs.sleep(2));
    RingBuffer<int[]> ring = disruptor.start();
    Programs.repeat(3, () -> ring.publishEvent((event, sequence) -> event[0]++));
  }

  /** Connections are pushed a byte every fifteen seconds, and their readers are in loops. */
  @Programs.Healthy
  static void pushedConnections() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Programs.repeat(
        1,
        () -> {
          Socket client = server.accept();
          Programs.repeat(
              1,
              () -> {
                Programs.sleep(15);
                client.getOutputStream().write(1);
              });
        });
    Programs.start(
        5,
        () -> {
          Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
          while (socket.getInputStream().read() >= 0) {
            Thread.onSpinWait();
          }
        });
  }

  /** Each round starts twenty tasks of up to six seconds, and waits for all of them. */
  @Programs.Healthy
  static void rounds() {
    ExecutorService pool = Executors.newFixedThreadPool(8, Thread.ofVirtual().factory());
    Callable<Integer> task =
        () -> {
          Programs.sleep(6 * Math.random());
          return 1;
        };
    Programs.repeat(
        1,
        () -> {
          CountDownLatch all = new CountDownLatch(20);
          for (int i = 0; i < 20; i++) {
            CompletableFuture.runAsync(() -> Programs.submit(pool, all::countDown), pool);
          }
          all.await();
          pool.invokeAll(List.of(task, task, task));
        });
  }
}
