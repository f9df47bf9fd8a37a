import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Programs that make progress, some of them slowly. */
final class Working {
  private Working() {}

  /** Thirty threads share a fair semaphore of two permits, and each waits for its turn. */
  @Programs.Healthy
  static void fairSemaphore() {
    Semaphore permits = new Semaphore(2, true);
    Programs.repeat(
        30,
        () -> {
          permits.acquire();
          Programs.sleep(0.5);
          permits.release();
        });
  }

  /** Ten threads try to get the permits that are handed out each second, two seconds at a time. */
  @Programs.Healthy
  static void permitsTriedFor() {
    Semaphore permits = new Semaphore(0, true);
    Programs.startPlatform(
        () -> {
          while (true) {
            Programs.sleep(1);
            permits.release(3);
          }
        });
    Programs.repeat(10, () -> permits.tryAcquire(2, TimeUnit.SECONDS));
  }

  /** Fifty threads share a lock and a monitor, and each keeps one for a while. */
  @Programs.Healthy
  static void contendedLocks() {
    ReentrantLock lock = new ReentrantLock();
    Object monitor = new Object();
    Programs.repeat(
        50,
        () -> {
          lock.lock();
          try {
            Programs.sleep(0.05);
          } finally {
            lock.unlock();
          }
          synchronized (monitor) {
            Programs.sleep(0.002);
          }
        });
  }

  /** Readers and a writer share a lock. */
  @Programs.Healthy
  static void readersAndWriter() {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    Programs.repeat(
        20,
        () -> {
          lock.readLock().lock();
          Programs.sleep(0.2);
          lock.readLock().unlock();
        });
    Programs.repeat(
        2,
        () -> {
          lock.writeLock().lock();
          Programs.sleep(0.5);
          lock.writeLock().unlock();
          Programs.sleep(2);
        });
  }

  /** A producer delivers to ten consumers one element in seven seconds. */
  @Programs.Healthy
  static void slowProducer() {
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(10);
    Programs.repeat(
        1,
        () -> {
          queue.put(1);
          Programs.sleep(7);
        });
    Programs.repeat(10, queue::take);
  }

  /** A consumer takes one element in two seconds from a queue that five producers keep full. */
  @Programs.Healthy
  static void slowConsumer() {
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(10);
    Programs.repeat(5, () -> queue.put(1));
    Programs.repeat(
        1,
        () -> {
          queue.take();
          Programs.sleep(2);
        });
  }

  /** Four threads pass a barrier every five seconds. */
  @Programs.Healthy
  static void slowBarrier() {
    CyclicBarrier barrier = new CyclicBarrier(4);
    Programs.repeat(3, barrier::await);
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(5);
          barrier.await();
        });
  }

  /** Four threads advance a phaser every three seconds. */
  @Programs.Healthy
  static void phaserRounds() {
    Phaser phaser = new Phaser(4);
    Programs.repeat(3, phaser::arriveAndAwaitAdvance);
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(3);
          phaser.arriveAndAwaitAdvance();
        });
  }

  /** Ten threads get chains of futures that complete after four seconds. */
  @Programs.Healthy
  static void chainsOfFutures() {
    Programs.repeat(
        10,
        () ->
            CompletableFuture.supplyAsync(
                    () -> 1, CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS))
                .thenApplyAsync(n -> n + 1, CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS))
                .thenApply(n -> n + 1)
                .get());
  }

  /** A scheduler of virtual threads runs a task each second and one every nine seconds. */
  @Programs.Healthy
  static void scheduledTasks() {
    ScheduledExecutorService scheduler =
        Executors.newScheduledThreadPool(4, Thread.ofVirtual().factory());
    scheduler.scheduleAtFixedRate(() -> {}, 0, 1, TimeUnit.SECONDS);
    scheduler.scheduleWithFixedDelay(() -> {}, 0, 9, TimeUnit.SECONDS);
  }

  /** Two threads exchange something every two seconds. */
  @Programs.Healthy
  static void exchanges() {
    Exchanger<Integer> exchanger = new Exchanger<>();
    Programs.repeat(1, () -> exchanger.exchange(1));
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(2);
          exchanger.exchange(2);
        });
  }

  /** Twenty threads wait for the five permits that a limiter hands out each second. */
  @Programs.Healthy
  static void rateLimiter() {
    Semaphore permits = new Semaphore(0, true);
    Programs.startPlatform(
        () -> {
          while (true) {
            permits.release(5);
            Programs.sleep(1);
          }
        });
    Programs.repeat(20, permits::acquire);
  }

  /** Five workers of a pool wait at a condition, and one of them gets work every eight seconds. */
  @Programs.Healthy
  static void workersAtCondition() {
    ReentrantLock lock = new ReentrantLock();
    Condition work = lock.newCondition();
    Programs.repeat(
        5,
        () -> {
          lock.lock();
          try {
            work.await();
          } finally {
            lock.unlock();
          }
        });
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(8);
          lock.lock();
          try {
            work.signal();
          } finally {
            lock.unlock();
          }
        });
  }

  /** At the end a hundred requests are in flight, and the shutdown waits for them. */
  @Programs.Healthy
  static void gracefulShutdown() {
    ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    CountDownLatch stop = new CountDownLatch(1);
    for (int i = 0; i < 100; i++) {
      requests.submit(
          () -> {
            while (stop.getCount() > 0) {
              Programs.sleep(3);
            }
            return 1;
          });
    }
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  stop.countDown();
                  requests.close();
                }));
  }

  /** Executors are opened, get three tasks each, and are closed. */
  @Programs.Healthy
  static void executorsOpenedAndClosed() {
    Programs.repeat(
        10,
        () -> {
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3; i++) {
              Programs.submit(executor, () -> Programs.sleep(0.7));
            }
          }
        });
  }

  /** Ten clients ask by HTTP with a timeout, and each answer takes forty seconds. */
  @Programs.Healthy
  static void longPollByHttp() throws IOException {
    URI uri = serve(40);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(50)).build();
    Programs.repeat(10, () -> client.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  /** Twenty clients ask by HTTP, and each answer takes two seconds. */
  @Programs.Healthy
  static void slowService() throws IOException {
    URI uri = serve(2);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    Programs.repeat(20, () -> client.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  private static URI serve(int seconds) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer server = HttpServer.create(address, 100);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try {
            Programs.sleep(seconds);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }
}
