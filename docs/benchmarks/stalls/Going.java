import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Programs that go on, some of them slowly. */
final class Going {
  private Going() {}

  private static HttpServer server(double seconds, int lines) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try (OutputStream body = exchange.getResponseBody()) {
            for (int i = 0; i < lines; i++) {
              Programs.sleep(seconds);
              body.write("line\n".getBytes());
              body.flush();
            }
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    server.start();
    return server;
  }

  private static HttpRequest request(HttpServer server) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"))
        .build();
  }

  /** A server answers twenty requests in the first seconds, and gets none from then on. */
  @Programs.Healthy
  static void serverWithoutRequests() throws IOException {
    HttpRequest request = request(server(0.1, 1));
    HttpClient client = HttpClient.newHttpClient();
    Programs.start(20, () -> client.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  /** Clients read a stream of lines, one each five seconds. */
  @Programs.Healthy
  static void streamOfLines() throws IOException {
    HttpRequest request = request(server(5, 1_000));
    HttpClient client = HttpClient.newHttpClient();
    Programs.start(
        3,
        () ->
            client
                .send(request, HttpResponse.BodyHandlers.ofLines())
                .body()
                .forEach(line -> Thread.yield()));
  }

  /** A subscriber takes a second for each item, and a publisher waits for it. */
  @Programs.Healthy
  static void slowSubscriber() {
    SubmissionPublisher<Integer> publisher =
        new SubmissionPublisher<>(Executors.newVirtualThreadPerTaskExecutor(), 4);
    publisher.subscribe(
        new Flow.Subscriber<>() {
          private Flow.Subscription subscription;

          @Override
          public void onSubscribe(Flow.Subscription subscribed) {
            subscription = subscribed;
            subscription.request(1);
          }

          @Override
          public void onNext(Integer item) {
            try {
              Programs.sleep(1);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            subscription.request(1);
          }

          @Override
          public void onError(Throwable error) {}

          @Override
          public void onComplete() {}
        });
    Programs.repeat(2, () -> publisher.submit(1));
  }

  /** Rounds of twenty tasks of up to six seconds are joined together. */
  @Programs.Healthy
  static void roundsOfTasks() {
    var executor = Executors.newVirtualThreadPerTaskExecutor();
    Programs.repeat(
        1,
        () -> {
          CompletableFuture<?>[] all = new CompletableFuture<?>[20];
          for (int i = 0; i < all.length; i++) {
            double seconds = 6.0 * i / all.length;
            all[i] =
                CompletableFuture.runAsync(
                    () -> {
                      try {
                        Programs.sleep(seconds);
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    },
                    executor);
          }
          CompletableFuture.allOf(all).join();
        });
  }

  /** Four threads try for ten seconds to become the leader, which each stays for five. */
  @Programs.Healthy
  static void leaders() {
    ReentrantLock leader = new ReentrantLock(true);
    Programs.repeat(
        4,
        () -> {
          if (leader.tryLock(10, TimeUnit.SECONDS)) {
            try {
              Programs.sleep(5);
            } finally {
              leader.unlock();
            }
          }
        });
  }

  /** Ten jobs of eight seconds share two permits. */
  @Programs.Healthy
  static void longJobsWithPermits() {
    Semaphore permits = new Semaphore(2, true);
    Programs.repeat(
        10,
        () -> {
          permits.acquire();
          try {
            Programs.sleep(8);
          } finally {
            permits.release();
          }
        });
  }

  /** A map loads its values, each for a second, and twenty threads need them. */
  @Programs.Healthy(java = 25)
  static void loadingMap() {
    ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
    Programs.repeat(
        20,
        () -> {
          int key = (int) (Math.random() * 5);
          map.computeIfAbsent(
              key,
              same -> {
                try {
                  Programs.sleep(1);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                return same;
              });
          map.remove(key);
          Programs.sleep(0.1);
        });
  }

  /** Three stages hand over one item in six seconds from one to the next. */
  @Programs.Healthy
  static void slowStages() {
    SynchronousQueue<Integer> first = new SynchronousQueue<>();
    ArrayBlockingQueue<Integer> second = new ArrayBlockingQueue<>(1);
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(6);
          first.put(1);
        });
    Programs.repeat(1, () -> second.put(first.take()));
    Programs.repeat(1, second::take);
  }

  /** A thread notifies workers at an object every six seconds. */
  @Programs.Healthy(java = 25)
  static void notifiedSeldom() {
    Object lock = new Object();
    Programs.repeat(
        4,
        () -> {
          synchronized (lock) {
            lock.wait();
          }
        });
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(6);
          synchronized (lock) {
            lock.notify();
          }
        });
  }

  /** A timer's thread and a heart beat each second are all that runs. */
  @Programs.Healthy
  static void heartBeat() {
    var scheduler = Executors.newScheduledThreadPool(1, Thread.ofVirtual().factory());
    scheduler.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS);
    Programs.repeat(1, () -> Programs.sleep(1));
  }
}
