import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Single platform threads that wait for others, in a program that goes on. */
final class Callers {
  private Callers() {}

  private static ExecutorService worker() {
    return Executors.newSingleThreadExecutor(Programs::daemon);
  }

  private static int ask(Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(1);
    out.flush();
    return socket.getInputStream().read();
  }

  /** One thread asks another process again and again, which stops answering. */
  @Programs.StandsStill("socket|Socket|SocketInputStream")
  static void platformCallsNoLongerAnswered() throws IOException {
    Asked.service();
    Socket socket = Remote.connect(Remote.server("stops"));
    Programs.startPlatform(
        () -> {
          for (int i = 0; i < 1_000; i++) {
            ask(socket);
          }
        });
  }

  /** The same on virtual threads. */
  @Programs.StandsStill("socket|Socket|SocketInputStream")
  static void callsNoLongerAnswered() throws IOException {
    Asked.service();
    int port = Remote.server("stops");
    Programs.start(
        3,
        () -> {
          Socket socket = Remote.connect(port);
          for (int i = 0; i < 1_000; i++) {
            ask(socket);
          }
        });
  }

  /** The answers come. */
  @Programs.Healthy
  static void platformCallsAnswered() throws IOException {
    Asked.service();
    Socket socket = Remote.connect(Remote.server("echoes"));
    Programs.startPlatform(
        () -> {
          while (true) {
            ask(socket);
            Programs.sleep(5);
          }
        });
  }

  /** One thread has subscribed, and waits for the next event. */
  @Programs.Healthy
  static void platformSubscriberOfQuietProcess() throws IOException {
    Asked.service();
    Socket socket = Remote.connect(Remote.server("sends"));
    Programs.startPlatform(
        () -> {
          socket.getOutputStream().write(1);
          BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
          for (int next = in.read(); next >= 0; next = in.read()) {
            Thread.yield();
          }
        });
  }

  /** Two workers call by HTTP without a timeout. */
  @Programs.StandsStill("HTTP|socket")
  static void platformHttpNeverAnswered() throws IOException {
    Asked.service();
    URI uri = URI.create("http://localhost:" + Remote.server("silent") + "/");
    Programs.submit(
        worker(),
        () ->
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding()));
    Programs.submit(worker(), () -> uri.toURL().openStream().readAllBytes());
  }

  private static void query(int key, Consumer<Integer> callback) {
    Programs.start(
        () -> {
          Programs.sleep(0.2);
          if (key < 3) {
            callback.accept(key);
          }
        });
  }

  /** A worker waits for a callback that is left out on an early return. */
  @Programs.StandsStill("CompletableFuture")
  static void workerAwaitsLostCallback() {
    Asked.service();
    ExecutorService worker = worker();
    for (int i = 0; i < 10; i++) {
      int key = i;
      Programs.submit(
          worker,
          () -> {
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            query(key, answer::complete);
            answer.get();
          });
    }
  }

  /** The callbacks come late. */
  @Programs.Healthy
  static void workerAwaitsSlowCallbacks() {
    Asked.service();
    ExecutorService worker = worker();
    for (int i = 0; i < 100; i++) {
      Programs.submit(
          worker,
          () -> {
            CountDownLatch answered = new CountDownLatch(1);
            Programs.start(
                () -> {
                  Asked.work(7);
                  answered.countDown();
                });
            answered.await();
          });
    }
  }

  /** The only consumer is ended by shutdownNow, and the import goes on to fill the queue. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void importFillsQueueOfEndedConsumer() throws InterruptedException {
    Asked.service();
    BlockingQueue<Integer> rows = new ArrayBlockingQueue<>(10);
    ExecutorService consumer = worker();
    consumer.submit(
        () -> {
          while (true) {
            rows.take();
            Programs.sleep(0.1);
          }
        });
    Programs.startPlatform(
        () -> {
          for (int i = 0; i < 1_000; i++) {
            rows.put(i);
          }
        });
    Programs.sleep(2);
    consumer.shutdownNow();
  }

  /** The consumer takes some seconds for each row. */
  @Programs.Healthy
  static void importWaitsForSlowConsumer() {
    Asked.service();
    BlockingQueue<Integer> rows = new ArrayBlockingQueue<>(10);
    Programs.startPlatform(
        () -> {
          while (true) {
            rows.take();
            Asked.work(6);
          }
        });
    Programs.startPlatform(
        () -> {
          while (true) {
            rows.put(1);
          }
        });
  }

  /** Has a zero in the unit below, whose initializer needs this class. */
  private static final class Money {
    static final Object ZERO = zero();

    private static Object zero() {
      pause();
      return Unit.EURO;
    }
  }

  /** Needs the class above. */
  private enum Unit {
    EURO;

    static final Object NOTHING = nothing();

    private static Object nothing() {
      pause();
      return Money.ZERO;
    }
  }

  private static void pause() {
    try {
      Programs.sleep(0.3);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Two platform threads initialize two classes that need each other. */
  @Programs.StandsStill("class")
  static void platformInitializersInACircle() {
    Asked.service();
    Programs.startPlatform(() -> System.out.println(Money.ZERO));
    Programs.startPlatform(() -> System.out.println(Unit.NOTHING));
  }

  /** Reads its tables for some seconds. */
  private static final class Tables {
    static final Object FIRST = read();

    private static Object read() {
      try {
        Asked.work(8);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return "";
    }
  }

  /** Two platform threads need a class that takes long to be initialized. */
  @Programs.Healthy
  static void platformInitializerTakesLong() {
    Asked.service();
    Programs.startPlatform(() -> System.out.println(Tables.FIRST));
    Programs.startPlatform(() -> System.out.println(Tables.FIRST));
  }
}
