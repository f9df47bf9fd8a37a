import com.sun.net.httpserver.HttpServer;
import io.netty.util.HashedWheelTimer;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What services did in production, standing still or not, beside what goes on in any service. */
final class Production {
  private Production() {}

  /** A class initializer runs a parallel stream, whose workers need the class. */
  static final class Parallel {
    static final int SUM;

    static {
      SUM = IntStream.range(0, 200).parallel().map(Parallel::twice).sum();
    }

    private Parallel() {}

    /** Takes so long that the workers have started, and take a part of the numbers. */
    static int twice(int number) {
      LockSupport.parkNanos(1_000_000);
      return 2 * number;
    }
  }

  /** The initializer of a class with a parallel stream in it, and requests that need the class. */
  @Programs.StandsStill("Production$Parallel|Production.Parallel|ForkJoinTask")
  static void parallelStreamInInitializer() {
    Programs.start(4, () -> System.out.println(Parallel.SUM));
  }

  /** A pool is shut down at once, and others wait for the tasks that it dropped. */
  @Programs.StandsStill("Future|FutureTask")
  static void droppedByShutdownNow() {
    Asked.service();
    ExecutorService pool = Executors.newFixedThreadPool(1, Thread.ofVirtual().factory());
    List<Future<?>> results = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      results.add(
          pool.submit(
              () -> {
                Programs.sleep(1);
                return 1;
              }));
    }
    results.forEach(result -> Programs.start(result::get));
    pool.shutdownNow();
  }

  /** The task of Netty's timer, which schedules itself, fails; workers take what it put. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void wheelTimerFailed() {
    Asked.service();
    HashedWheelTimer timer = new HashedWheelTimer(Programs::daemon);
    BlockingQueue<Integer> ticks = new LinkedBlockingQueue<>();
    Programs.repeat(3, ticks::take);
    tick(timer, ticks, 0);
  }

  private static void tick(HashedWheelTimer timer, BlockingQueue<Integer> ticks, int count) {
    timer.newTimeout(
        timeout -> {
          ticks.add(count);
          if (count == 30) {
            throw new IllegalStateException("the task fails");
          }
          tick(timer, ticks, count + 1);
        },
        100,
        TimeUnit.MILLISECONDS);
  }

  /** The thread of Reactor's scheduler blocks for what is scheduled on it. */
  @Programs.StandsStill("Reactor")
  static void blockOnItsOwnScheduler() {
    Asked.service();
    Scheduler one =
        Schedulers.fromExecutorService(
            Executors.newSingleThreadExecutor(Thread.ofVirtual().factory()));
    Programs.start(
        3,
        () ->
            Mono.fromCallable(() -> Mono.fromCallable(() -> 1).subscribeOn(one).block())
                .subscribeOn(one)
                .block());
  }

  /** The thread that should emit a value has failed before. */
  @Programs.StandsStill("Reactor")
  static void sinkNeverEmitted() {
    Asked.service();
    Sinks.One<Integer> sink = Sinks.one();
    Programs.start(3, () -> sink.asMono().map(value -> value + 1).block());
    Programs.start(
        () -> {
          Programs.sleep(1);
          sink.tryEmitValue(Integer.parseInt("no number"));
        });
  }

  /** A named pipe is opened that nobody writes to. */
  @Programs.StandsStill("native code|FileInputStream.open|FileInputStream|Production.read")
  static void fifoWithoutWriter() throws IOException, InterruptedException {
    Asked.service();
    Path fifo = Files.createTempDirectory("fifo").resolve("fifo");
    new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
    Programs.start(() -> read(fifo));
  }

  private static void read(Path fifo) throws IOException {
    try (FileInputStream in = new FileInputStream(fifo.toFile())) {
      System.out.println(in.read());
    }
  }

  /** A child waits for its standard input, which nobody closes, and its end is awaited. */
  @Programs.StandsStill("Process")
  static void childWaitsForInput() throws IOException {
    Asked.service();
    Process child =
        new ProcessBuilder("cat").redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    Programs.start(child::waitFor);
  }

  /** A callback of an HTTP client asks by the same client, whose executor has one thread. */
  @Programs.StandsStill("CompletableFuture|HTTP")
  static void sendInCallback() throws IOException {
    Asked.service();
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
    HttpClient client =
        HttpClient.newBuilder()
            .executor(Executors.newSingleThreadExecutor(Thread.ofVirtual().factory()))
            .build();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.getAddress().getPort()))
            .build();
    HttpResponse.BodyHandler<Void> body = HttpResponse.BodyHandlers.discarding();
    Programs.start(
        3,
        () ->
            client
                .sendAsync(request, body)
                .thenApplyAsync(
                    first -> client.sendAsync(request, body).join(), client.executor().get())
                .join());
  }

  /** A completer waits for one child more than it has. */
  @Programs.StandsStill("ForkJoinTask|CountedCompleter")
  static void pendingCountTooHigh() {
    Asked.service();
    Programs.start(3, () -> new Two().invoke());
  }

  private static final class Two extends CountedCompleter<Void> {
    private static final long serialVersionUID = 1;

    @Override
    public void compute() {
      setPendingCount(2);
      tryComplete();
    }
  }

  /** A request takes a permit for each of its parts, and all requests have some. */
  @Programs.StandsStill("Semaphore")
  static void permitForEachPart() {
    Asked.service();
    Semaphore permits = new Semaphore(8);
    Programs.start(
        8,
        () -> {
          for (int i = 0; i < 3; i++) {
            permits.acquire();
            Programs.sleep(0.2);
          }
          permits.release(3);
        });
  }

  /** Results are taken from a completion service after one of the tasks was cancelled unstarted. */
  @Programs.StandsStill("ExecutorCompletionService")
  static void poolOfCompletionServiceShutDown() {
    Asked.service();
    ExecutorService pool = Executors.newFixedThreadPool(1, Thread.ofVirtual().factory());
    ExecutorCompletionService<Integer> service = new ExecutorCompletionService<>(pool);
    for (int i = 0; i < 3; i++) {
      service.submit(
          () -> {
            Programs.sleep(1);
            return 1;
          });
    }
    Programs.start(
        () -> {
          for (int i = 0; i < 3; i++) {
            service.take();
          }
        });
    pool.shutdownNow();
  }

  /** An element is handed over by a transfer, and its taker has failed. */
  @Programs.StandsStill("LinkedTransferQueue")
  static void takerOfTransfersFailed() {
    Asked.service();
    LinkedTransferQueue<String> queue = new LinkedTransferQueue<>();
    Programs.start(
        () -> {
          while (true) {
            Integer.parseInt(queue.take());
          }
        });
    Programs.repeat(
        2,
        () -> {
          queue.transfer("1");
          Programs.sleep(0.2);
          queue.transfer("no number");
        });
  }

  /** A virtual thread waits for the latch of a shutdown hook. */
  @Programs.Healthy
  static void latchOfShutdownHook() {
    Asked.service();
    CountDownLatch shutdown = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(shutdown::countDown));
    Programs.start(shutdown::await);
    CompletableFuture<Integer> stopped = new CompletableFuture<>();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stopped.complete(1)));
    Programs.start(stopped::join);
  }

  /** An asynchronous server waits by futures for connections, and for what they send. */
  @Programs.Healthy
  static void asynchronousServer() throws IOException {
    AsynchronousServerSocketChannel server =
        AsynchronousServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Programs.start(
        () -> {
          while (true) {
            AsynchronousSocketChannel client = server.accept().get();
            Programs.start(() -> readAll(client));
          }
        });
    Programs.start(
        () -> {
          AsynchronousSocketChannel client = AsynchronousSocketChannel.open();
          client.connect(server.getLocalAddress()).get();
          readAll(client);
        });
  }

  private static void readAll(AsynchronousSocketChannel channel) throws Exception {
    while (channel.read(ByteBuffer.allocate(10)).get() >= 0) {}
  }

  /** A collector of results has nothing to collect for a while. */
  @Programs.Healthy
  static void resultCollector() {
    Asked.service();
    ExecutorCompletionService<Integer> service =
        new ExecutorCompletionService<>(Executors.newVirtualThreadPerTaskExecutor());
    Programs.repeat(1, service::take);
    for (int i = 0; i < 10; i++) {
      service.submit(
          () -> {
            Programs.sleep(1);
            return 1;
          });
    }
  }

  /** A supervisor waits for the end of a child process that serves. */
  @Programs.Healthy
  static void supervisor() throws IOException {
    Asked.service();
    Process child = new ProcessBuilder("sleep", "1000").start();
    Programs.start(child::waitFor);
  }

  /** A thread joins a platform thread that selects, and another one that sleeps and works. */
  @Programs.Healthy(java = 25)
  static void joinedLoops() throws IOException {
    Asked.service();
    Selector selector = Selector.open();
    Thread loop =
        Programs.startPlatform(
            () -> {
              while (true) {
                selector.select();
              }
            });
    Thread ticker =
        Programs.startPlatform(
            () -> {
              while (true) {
                Programs.sleep(1);
              }
            });
    Programs.start(loop::join);
    Programs.start(ticker::join);
  }

  /** Tasks of a pool that is shut down are done, one after the other, while others wait for it. */
  @Programs.Healthy
  static void gracefulPool() {
    Asked.service();
    ExecutorService pool = Executors.newFixedThreadPool(2, Thread.ofVirtual().factory());
    for (int i = 0; i < 100; i++) {
      Programs.submit(pool, () -> Programs.sleep(2));
    }
    pool.shutdown();
    Programs.start(() -> pool.awaitTermination(1, TimeUnit.DAYS));
  }

  /** Elements of an endless stream are handled by a subscriber, while its thread blocks. */
  @Programs.Healthy
  static void endlessStream() {
    Asked.service();
    Programs.start(() -> Flux.interval(Duration.ofSeconds(3)).doOnNext(tick -> {}).blockLast());
  }
}
