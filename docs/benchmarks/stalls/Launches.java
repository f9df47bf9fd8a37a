import com.sun.net.httpserver.HttpServer;
import io.reactivex.rxjava3.core.Completable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** A main thread that waits for what it has begun, while a timer ticks. */
final class Launches {
  private static final LongAdder ROUNDS = new LongAdder();
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();
  private static final int PARTS = 4;

  private Launches() {}

  private static void main(Programs.Body body) {
    ScheduledExecutorService scheduler =
        Executors.newSingleThreadScheduledExecutor(Programs::daemon);
    KEPT.add(scheduler);
    scheduler.scheduleAtFixedRate(ROUNDS::increment, 0, 500, TimeUnit.MILLISECONDS);
    Thread.ofPlatform()
        .name("launcher")
        .start(
            () -> {
              try {
                body.run();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

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

  private static Runnable unchecked(Programs.Body body) {
    return () -> {
      try {
        body.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    };
  }

  /** The endpoint by which others ask whether the program lives. */
  private static void health() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/health",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    KEPT.add(server);
  }

  /** The first of no parts is awaited, since all of them were left out. */
  @Programs.StandsStill("CompletableFuture")
  static void firstOfNoParts() {
    Programs.repeat(1, () -> Programs.sleep(0.5));
    main(
        () -> {
          CompletableFuture<?>[] parts =
              List.of("").stream()
                  .filter(part -> !part.isEmpty())
                  .map(part -> CompletableFuture.runAsync(ROUNDS::increment, executor()))
                  .toArray(CompletableFuture[]::new);
          CompletableFuture.anyOf(parts).join();
        });
  }

  /** The first of parts is awaited, each of which is at work for long. */
  @Programs.Healthy
  static void firstOfLongParts() {
    main(
        () -> {
          CompletableFuture<?>[] parts = new CompletableFuture<?>[PARTS];
          for (int i = 0; i < PARTS; i++) {
            parts[i] =
                CompletableFuture.runAsync(
                    unchecked(() -> Asked.work(Asked.LONGER_THAN_ALL)), executor());
          }
          CompletableFuture.anyOf(parts).join();
        });
  }

  /** A latch counts all parts, and those without a name are never begun. */
  @Programs.StandsStill("CountDownLatch")
  static void latchOfLeftOutParts() {
    main(
        () -> {
          List<String> parts = Arrays.asList("a", "b", null, "d");
          CountDownLatch done = new CountDownLatch(parts.size());
          parts.stream().filter(Objects::nonNull).forEach(part -> Programs.start(done::countDown));
          done.await();
        });
  }

  private static void drain(String fault) {
    main(
        () -> {
          AtomicInteger inFlight = new AtomicInteger();
          for (int i = 0; i < PARTS; i++) {
            int part = i;
            inFlight.incrementAndGet();
            Programs.start(
                () -> {
                  Programs.sleep(0.5);
                  fail(part == 1 ? fault : "");
                  if (fault.isEmpty()) {
                    Asked.work(Asked.LONGER_THAN_ALL);
                  }
                  inFlight.decrementAndGet();
                });
          }
          while (inFlight.get() > 0) {
            Thread.sleep(50);
          }
        });
  }

  /** No more requests are to be in flight, and one that failed has not counted itself down. */
  @Programs.StandsStill("inFlight|AtomicInteger|Thread.sleep|sleep")
  static void oneStaysInFlight() {
    drain("request");
  }

  /** The same while all of them work. */
  @Programs.Healthy
  static void longRequestsInFlight() {
    drain("");
  }

  /** An executor is closed, one task of which takes from a queue that nobody fills. */
  @Programs.StandsStill("ExecutorService|LinkedBlockingQueue|ThreadPerTaskExecutor")
  static void closesWithTaker() {
    main(
        () -> {
          LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>();
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(
                () -> {
                  while (work.take() >= 0) {
                    ROUNDS.increment();
                  }
                  return null;
                });
            work.put(1);
            work.put(2);
          }
        });
  }

  /** An executor is closed, whose tasks are the parts of a server. */
  @Programs.Healthy
  static void closesWithServer() {
    main(
        () -> {
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
              ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>();
            executor.submit(
                () -> {
                  while (true) {
                    server.accept().close();
                    work.put(1);
                  }
                });
            executor.submit(
                () -> {
                  while (true) {
                    ROUNDS.add(work.take());
                  }
                });
            executor.close();
          }
        });
  }

  private static void askedForEnd(Programs.Body task) {
    main(
        () -> {
          ExecutorService pool = Executors.newFixedThreadPool(2, Thread.ofVirtual().factory());
          KEPT.add(pool);
          for (int i = 0; i < 2; i++) {
            pool.execute(unchecked(task));
          }
          pool.shutdown();
          while (!pool.isTerminated()) {
            Thread.sleep(100);
          }
        });
  }

  /** It is asked again and again whether a pool has ended, whose tasks take from a queue. */
  @Programs.StandsStill("isTerminated|LinkedBlockingQueue|ThreadPoolExecutor|ExecutorService")
  static void askedWhetherPoolHasEnded() {
    LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>();
    askedForEnd(() -> ROUNDS.add(work.take()));
  }

  /** The same while its tasks work. */
  @Programs.Healthy
  static void askedWhetherWorkHasEnded() {
    askedForEnd(() -> Asked.work(Asked.LONGER_THAN_ALL));
  }

  /** The end of a pool is awaited, with a line in the log for each second, and a task is stuck. */
  @Programs.StandsStill("ThreadPoolExecutor|ExecutorService|CountDownLatch")
  static void endOfPoolAwaitedAgain() {
    main(
        () -> {
          ExecutorService pool = Executors.newFixedThreadPool(2, Thread.ofVirtual().factory());
          KEPT.add(pool);
          CountDownLatch never = new CountDownLatch(1);
          pool.execute(unchecked(never::await));
          pool.shutdown();
          while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            ROUNDS.increment();
          }
        });
  }

  private static void promise(String fault, boolean gotten) {
    main(
        () -> {
          CompletableFuture<Integer> promise = new CompletableFuture<>();
          KEPT.add(
              CompletableFuture.runAsync(
                  unchecked(
                      () -> {
                        Programs.sleep(1);
                        fail(fault);
                        promise.complete(1);
                      }),
                  executor()));
          ROUNDS.add(gotten ? promise.get() : promise.join());
        });
  }

  /** A promise is joined that a stage was to complete, which failed; nobody looks at the stage. */
  @Programs.StandsStill("CompletableFuture")
  static void promiseOfFailedStage() {
    promise("stage", false);
  }

  /** A latch is awaited that a stage was to count down, after another one, and it failed. */
  @Programs.StandsStill("CountDownLatch")
  static void latchOfFailedStage() {
    main(
        () -> {
          CountDownLatch started = new CountDownLatch(1);
          KEPT.add(
              CompletableFuture.supplyAsync(() -> 1, executor())
                  .thenAccept(
                      one -> {
                        unchecked(
                                () -> {
                                  Programs.sleep(1);
                                  fail("stage");
                                })
                            .run();
                        started.countDown();
                      }));
          started.await();
        });
  }

  private static void parts(boolean lost) {
    main(
        () -> {
          health();
          CompletableFuture<?>[] parts = new CompletableFuture<?>[PARTS];
          for (int i = 0; i < PARTS; i++) {
            int part = i;
            if (lost) {
              CompletableFuture<Integer> answer = new CompletableFuture<>();
              parts[i] = answer;
              Programs.start(
                  () -> {
                    Programs.sleep(0.5);
                    fail(part == 2 ? "part" : "");
                    answer.complete(part);
                  });
            } else {
              parts[i] =
                  CompletableFuture.runAsync(
                      unchecked(
                          () -> {
                            while (true) {
                              Programs.sleep(1);
                              ROUNDS.increment();
                            }
                          }),
                      executor());
            }
          }
          CompletableFuture.allOf(parts).join();
        });
  }

  /** All parts are joined beside an endpoint for health checks, and one never comes. */
  @Programs.StandsStill("CompletableFuture")
  static void partLostBesideHealth() {
    parts(true);
  }

  /** All parts of a service are joined beside the same endpoint. */
  @Programs.Healthy
  static void servicesBesideHealth() {
    parts(false);
  }

  /** All parts of a server are joined, which are ended by nobody, beside the endpoint. */
  @Programs.Healthy
  static void endsOfServerBesideHealth() {
    main(
        () -> {
          health();
          CompletableFuture<Void> http = new CompletableFuture<>();
          CompletableFuture<Void> admin = new CompletableFuture<>();
          Runtime.getRuntime()
              .addShutdownHook(
                  new Thread(
                      () -> {
                        http.complete(null);
                        admin.complete(null);
                      }));
          CompletableFuture.allOf(http, admin).join();
        });
  }

  /** The same, where only the parts know how they end. */
  @Programs.Healthy
  static void endsOfListenersBesideHealth() {
    main(
        () -> {
          health();
          CompletableFuture<Void> http = new CompletableFuture<>();
          CompletableFuture<Void> admin = new CompletableFuture<>();
          KEPT.add((Runnable) () -> http.complete(null));
          KEPT.add((Runnable) () -> admin.complete(null));
          CompletableFuture.allOf(http, admin).join();
        });
  }

  /** A partner is awaited that has ended. */
  @Programs.StandsStill("Exchanger")
  static void partnerHasEnded() {
    main(
        () -> {
          Exchanger<Integer> exchanger = new Exchanger<>();
          Programs.start(
              () -> {
                ROUNDS.add(exchanger.exchange(1));
                fail("second");
                ROUNDS.add(exchanger.exchange(2));
              });
          ROUNDS.add(exchanger.exchange(1));
          ROUNDS.add(exchanger.exchange(2));
        });
  }

  /** The end of a server is awaited by a source of RxJava. */
  @Programs.Healthy
  static void endAwaitedByRxJava() {
    main(() -> Completable.create(emitter -> KEPT.add(emitter)).blockingAwait());
  }

  /** A stage is tried again until it works, which takes longer than the program. */
  @Programs.Healthy
  static void stageTriedAgain() {
    main(
        () -> {
          CompletableFuture<Integer> promise = new CompletableFuture<>();
          ExecutorService executor = executor();
          Programs.start(
              () -> {
                for (int i = 0; i < 1_000_000; i++) {
                  CompletableFuture<Void> tried =
                      CompletableFuture.runAsync(
                          unchecked(
                              () -> {
                                fail("not yet");
                                promise.complete(1);
                              }),
                          executor);
                  Programs.sleep(2);
                  ROUNDS.add(tried.isDone() ? 1 : 0);
                }
              });
          promise.join();
        });
  }

  /** A server is kept alive by a latch, and one of its stages has failed. */
  @Programs.Healthy
  static void latchOfServerBesideFailedStage() {
    main(
        () -> {
          health();
          CountDownLatch end = new CountDownLatch(1);
          KEPT.add((Runnable) end::countDown);
          KEPT.add(CompletableFuture.runAsync(unchecked(() -> fail("report")), executor()));
          end.await();
        });
  }
}
