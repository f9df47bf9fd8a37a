import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.processors.PublishProcessor;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Streams, parties and pipes of virtual threads, beside a service that goes on. */
final class Flows {
  private static final LongAdder ROUNDS = new LongAdder();
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();
  private static final int REQUESTS = 4;

  private Flows() {}

  private static void fail(String what) throws IOException {
    if (!what.isEmpty()) {
      throw new IOException(what);
    }
  }

  private static ExecutorService executor() {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    KEPT.add(executor);
    return executor;
  }

  /** A loop over the items of a Flux, whose source emits two and never says that it is the end. */
  @Programs.StandsStill("Reactor")
  static void fluxIterated() {
    Asked.service();
    Programs.start(
        REQUESTS,
        () -> {
          Sinks.Many<Integer> sink = Sinks.many().unicast().onBackpressureBuffer();
          sink.tryEmitNext(1);
          sink.tryEmitNext(2);
          for (int item : sink.asFlux().toIterable()) {
            ROUNDS.add(item);
          }
        });
  }

  /** The same where an item comes every seven seconds. */
  @Programs.Healthy
  static void fluxIteratedSlowly() {
    Asked.service();
    Sinks.Many<Integer> sink = Sinks.many().multicast().onBackpressureBuffer();
    Programs.start(
        REQUESTS,
        () -> {
          for (int item : sink.asFlux().toIterable()) {
            ROUNDS.add(item);
          }
        });
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(7);
          sink.tryEmitNext(1);
        });
  }

  /** Items of a Flowable are taken one by one until the end, and who emits them has failed. */
  @Programs.StandsStill("RxJava")
  static void flowableIterated() {
    Asked.service();
    PublishProcessor<Integer> source = PublishProcessor.create();
    Programs.start(REQUESTS, () -> source.blockingForEach(ROUNDS::add));
    Programs.start(
        () -> {
          Programs.sleep(0.5);
          source.onNext(1);
          fail("source");
          source.onComplete();
        });
  }

  /** The same where an item comes every seven seconds. */
  @Programs.Healthy
  static void flowableIteratedSlowly() {
    Asked.service();
    Programs.start(
        REQUESTS,
        () -> Flowable.interval(7, TimeUnit.SECONDS).blockingForEach(item -> ROUNDS.increment()));
  }

  /** A worker that requests the next item when it has done one. */
  private static final class Requests implements Flow.Subscriber<Integer> {
    private final LinkedBlockingQueue<Integer> items = new LinkedBlockingQueue<>();
    private final String fault;
    private Flow.Subscription subscription;

    Requests(String fault) {
      this.fault = fault;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription = subscription;
      subscription.request(1);
      Programs.start(
          () -> {
            while (true) {
              ROUNDS.add(items.take());
              Programs.sleep(fault.isEmpty() ? 3 : 0.1);
              fail(ROUNDS.sum() > 2 ? fault : "");
              subscription.request(1);
            }
          });
    }

    @Override
    public void onNext(Integer item) {
      items.add(item);
    }

    @Override
    public void onError(Throwable throwable) {
      ROUNDS.increment();
    }

    @Override
    public void onComplete() {
      ROUNDS.increment();
    }
  }

  private static void publish(String fault) {
    Asked.service();
    SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>(executor(), 4);
    publisher.subscribe(new Requests(fault));
    Programs.repeat(2, () -> publisher.submit(1));
  }

  /** The thread that requests the next items of a publisher has failed, and its buffer is full. */
  @Programs.StandsStill("SubmissionPublisher")
  static void requesterFailed() {
    publish("item");
  }

  /** The same where each item takes three seconds. */
  @Programs.Healthy
  static void requesterSlow() {
    publish("");
  }

  private static void phases(boolean all) {
    Asked.service();
    Phaser root = new Phaser();
    KEPT.add(root);
    for (int group = 0; group < 2; group++) {
      Phaser phaser = new Phaser(root, 2);
      int parties = all || group == 0 ? 2 : 1;
      Programs.start(
          parties,
          () -> {
            while (true) {
              phaser.arriveAndAwaitAdvance();
              Programs.sleep(4);
            }
          });
    }
  }

  /** Parties of two groups meet, and one of the second group never came. */
  @Programs.StandsStill("Phaser")
  static void groupShortOfOne() {
    phases(false);
  }

  /** The same with all parties. */
  @Programs.Healthy
  static void groupsMeet() {
    phases(true);
  }

  /** The action of a barrier waits for what one of its parties does behind the barrier. */
  @Programs.StandsStill("CyclicBarrier|CompletableFuture")
  static void actionOfBarrierWaits() {
    Asked.service();
    CompletableFuture<Integer> sum = new CompletableFuture<>();
    CyclicBarrier barrier = new CyclicBarrier(REQUESTS, () -> ROUNDS.add(sum.join()));
    Programs.start(
        REQUESTS,
        () -> {
          barrier.await();
          sum.complete(1);
        });
  }

  /** One worker drains the queue with the marks of the end that were for the others. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void marksDrainedByOne() {
    Asked.service();
    LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>();
    for (int i = 0; i < 10 + REQUESTS; i++) {
      work.add(i < 10 ? i : -1);
    }
    Programs.start(
        () -> {
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < REQUESTS; i++) {
              executor.submit(
                  () -> {
                    while (true) {
                      List<Integer> batch = new ArrayList<>();
                      batch.add(work.take());
                      work.drainTo(batch);
                      if (batch.contains(-1)) {
                        return null;
                      }
                      ROUNDS.add(batch.size());
                    }
                  });
            }
          }
        });
  }

  /** A thread writes more to a pipe than fits, and would read it then itself. */
  @Programs.StandsStill("pipe|PipedInputStream|PipedOutputStream")
  static void pipeOfOneThread() {
    Asked.service();
    Programs.start(
        () -> {
          PipedInputStream in = new PipedInputStream();
          PipedOutputStream out = new PipedOutputStream(in);
          out.write(new byte[10_000]);
          out.close();
          ROUNDS.add(in.readAllBytes().length);
        });
  }

  private static Process child(String script) throws IOException {
    Process child = new ProcessBuilder("sh", "-c", script).start();
    KEPT.add(child);
    return child;
  }

  /** A child writes more errors than fit, and its parent reads the output first. */
  @Programs.StandsStill("Process|readOutput|pipe|native code")
  static void childFullOfErrors() throws IOException {
    Asked.service();
    Process child = child("head -c 1000000 /dev/zero >&2; echo done");
    Programs.start(() -> readOutput(child));
  }

  private static void readOutput(Process child) throws IOException {
    ROUNDS.add(child.getInputStream().readAllBytes().length);
    ROUNDS.add(child.getErrorStream().readAllBytes().length);
  }

  /** A child writes a line every two seconds. */
  @Programs.Healthy
  static void childWritesLines() throws IOException {
    Asked.service();
    Process child = child("while true; do echo line; sleep 2; done");
    Programs.start(
        () -> {
          var lines = child.inputReader();
          while (lines.readLine() != null) {
            ROUNDS.increment();
          }
        });
  }

  /** The body of an answer is a stream whose subscriber never requests anything. */
  @Programs.StandsStill("CompletableFuture|HTTP")
  static void bodyNeverRequested() throws IOException {
    Asked.service();
    var server =
        com.sun.net.httpserver.HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(executor());
    server.createContext(
        "/",
        exchange -> {
          byte[] body = new byte[100_000];
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.getAddress().getPort()))
            .build();
    Programs.start(
        REQUESTS,
        () -> {
          CompletableFuture<Integer> length = new CompletableFuture<>();
          client
              .sendAsync(request, HttpResponse.BodyHandlers.ofPublisher())
              .thenAccept(
                  answer ->
                      answer
                          .body()
                          .subscribe(
                              new Flow.Subscriber<>() {
                                @Override
                                public void onSubscribe(Flow.Subscription subscription) {
                                  ROUNDS.increment();
                                }

                                @Override
                                public void onNext(List<ByteBuffer> item) {
                                  ROUNDS.increment();
                                }

                                @Override
                                public void onError(Throwable throwable) {
                                  length.completeExceptionally(throwable);
                                }

                                @Override
                                public void onComplete() {
                                  length.complete(1);
                                }
                              }));
          length.join();
        });
  }

  /** A question is sent through a datagram channel, and the answer is lost. */
  @Programs.StandsStill("DatagramChannel|datagram")
  static void answerOfChannelLost() throws IOException {
    Asked.service();
    DatagramChannel server =
        DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    KEPT.add(server);
    Programs.start(
        REQUESTS,
        () -> {
          try (DatagramChannel channel = DatagramChannel.open()) {
            channel.send(ByteBuffer.wrap(new byte[] {1}), server.getLocalAddress());
            ByteBuffer answer = ByteBuffer.allocate(10);
            channel.receive(answer);
            ROUNDS.add(answer.position());
          }
        });
  }
}
