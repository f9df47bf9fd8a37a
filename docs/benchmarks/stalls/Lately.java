import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What people report of programs that run on virtual threads. */
final class Lately {
  private static final LongAdder ROUNDS = new LongAdder();
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();
  private static final int REQUESTS = 4;

  private Lately() {}

  /** A stage of a chain throws an error before it completes the future that the next one needs. */
  @Programs.StandsStill("CompletableFuture")
  static void stageLostInChain() {
    Asked.service();
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    Programs.start(
        REQUESTS,
        () -> {
          CompletableFuture<Integer> answer = new CompletableFuture<>();
          CompletableFuture.supplyAsync(() -> Integer.parseInt("one"), executor)
              .thenAccept(answer::complete);
          ROUNDS.add(answer.thenApply(i -> i + 1).thenCombine(answer, Integer::sum).join());
        });
  }

  /** The same chain with an answer. */
  @Programs.Healthy
  static void stagesOfChain() {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    Programs.repeat(
        REQUESTS,
        () -> {
          CompletableFuture<Integer> answer = new CompletableFuture<>();
          CompletableFuture.supplyAsync(() -> Integer.parseInt("1"), executor)
              .thenAccept(answer::complete);
          ROUNDS.add(answer.thenApply(i -> i + 1).thenCombine(answer, Integer::sum).join());
          Programs.sleep(0.3);
        });
  }

  /** Senders transfer to a channel whose receiver has failed. */
  @Programs.StandsStill("LinkedTransferQueue")
  static void channelWithoutReceiver() {
    Asked.service();
    LinkedTransferQueue<Integer> channel = new LinkedTransferQueue<>();
    Programs.start(
        () -> {
          for (int i = 0; i < 3; i++) {
            ROUNDS.add(channel.take());
          }
          throw new IOException("cannot write");
        });
    Programs.repeat(REQUESTS, () -> channel.transfer(1));
  }

  /** The receivers of such a channel have nothing to do most of the time. */
  @Programs.Healthy
  static void channelSeldomUsed() {
    LinkedTransferQueue<Integer> channel = new LinkedTransferQueue<>();
    Programs.repeat(REQUESTS, () -> ROUNDS.add(channel.take()));
    Programs.repeat(
        1,
        () -> {
          channel.transfer(1);
          Programs.sleep(7);
        });
  }

  /** A client of HTTP sets no timeout, and the server accepts and never answers. */
  @Programs.StandsStill("HttpClient|HttpClientImpl|CompletableFuture|HTTP")
  static void serverNeverAnswers() throws IOException {
    Asked.service();
    ServerSocket acceptor = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    KEPT.add(acceptor);
    Programs.startPlatform(
        () -> {
          while (true) {
            KEPT.add(acceptor.accept());
          }
        });
    HttpClient client = HttpClient.newHttpClient();
    KEPT.add(client);
    Programs.start(
        REQUESTS,
        () ->
            client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + acceptor.getLocalPort()))
                    .build(),
                HttpResponse.BodyHandlers.discarding()));
  }

  /** Connections of a small pool. */
  private static final class Connections {
    private final LinkedBlockingQueue<Integer> idle = new LinkedBlockingQueue<>(List.of(1, 2, 3));

    int getConnection() throws InterruptedException {
      return idle.take();
    }

    void release(int connection) {
      idle.add(connection);
    }
  }

  /** Each request takes a connection, and another one while it has the first. */
  @Programs.StandsStill("getConnection|LinkedBlockingQueue")
  static void nestedConnections() {
    Asked.service();
    Connections connections = new Connections();
    CountDownLatch all = new CountDownLatch(3);
    Programs.start(
        6,
        () -> {
          int outer = connections.getConnection();
          all.countDown();
          all.await();
          int inner = connections.getConnection();
          connections.release(inner);
          connections.release(outer);
        });
  }

  /** Each request takes one connection, and another one later. */
  @Programs.Healthy
  static void connectionsOneByOne() {
    Connections connections = new Connections();
    Programs.repeat(
        6,
        () -> {
          int one = connections.getConnection();
          Programs.sleep(1);
          connections.release(one);
        });
  }

  /** Readers that hold the read lock ask for the write lock. */
  @Programs.StandsStill("ReentrantReadWriteLock|writeLock")
  static void upgradeByTwo() {
    Asked.service();
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    Programs.start(
        2,
        () -> {
          lock.readLock().lock();
          Programs.sleep(0.2);
          lock.writeLock().lock();
          ROUNDS.increment();
          lock.writeLock().unlock();
        });
  }

  /** A phaser counts one party more than ever arrives. */
  @Programs.StandsStill("Phaser")
  static void phaserWithoutDeregistration() {
    Asked.service();
    Phaser phaser = new Phaser(1);
    for (int i = 0; i < REQUESTS; i++) {
      phaser.register();
      int part = i;
      Programs.start(
          () -> {
            if (part == 0) {
              throw new IOException("no file");
            }
            phaser.arriveAndAwaitAdvance();
            ROUNDS.increment();
          });
    }
    phaser.arriveAndDeregister();
  }

  /** All parties of a phaser come, each phase five seconds later. */
  @Programs.Healthy
  static void phaserWithDeregistration() {
    Phaser phaser = new Phaser(REQUESTS);
    for (int i = 0; i < REQUESTS; i++) {
      int part = i;
      Programs.repeat(
          1,
          () -> {
            Programs.sleep(part == 0 ? 5 : 1);
            phaser.arriveAndAwaitAdvance();
          });
    }
  }

  /** What is computed for one key of a map is a call that needs the other, in a circle. */
  @Programs.StandsStill("ConcurrentHashMap.computeIfAbsent|ConcurrentHashMap|monitor|deadlock")
  static void computedInACircle() {
    Asked.service();
    Map<Integer, Integer> map = new ConcurrentHashMap<>(64);
    CountDownLatch both = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      Integer key = i;
      Programs.start(
          () ->
              map.computeIfAbsent(
                  key,
                  same -> {
                    both.countDown();
                    awaitAll(both);
                    return map.computeIfAbsent(1 - key, other -> 1);
                  }));
    }
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The close of an executor waits for a task that waits for what follows the close. */
  @Programs.StandsStill("ExecutorService.close|close|CountDownLatch")
  static void closerIsAwaited() {
    Asked.service();
    Programs.start(
        REQUESTS,
        () -> {
          CountDownLatch closed = new CountDownLatch(1);
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(
                () -> {
                  closed.await();
                  return 1;
                });
          }
          closed.countDown();
        });
  }

  /** A request takes two permits one after the other, and all requests have their first. */
  @Programs.StandsStill("Semaphore")
  static void permitTakenTwice() {
    Asked.service();
    Semaphore permits = new Semaphore(REQUESTS);
    CountDownLatch all = new CountDownLatch(REQUESTS);
    Programs.start(
        REQUESTS,
        () -> {
          permits.acquire();
          all.countDown();
          all.await();
          permits.acquire();
          permits.release(2);
        });
  }

  /** A scheduled task throws, and clients wait for its next result. */
  @Programs.StandsStill("SynchronousQueue|LinkedBlockingQueue|CompletableFuture")
  static void scheduledTaskThrew() {
    Asked.service();
    ScheduledExecutorService scheduler =
        Executors.newSingleThreadScheduledExecutor(Programs::daemon);
    KEPT.add(scheduler);
    ConcurrentHashMap<Integer, CompletableFuture<Integer>> asked = new ConcurrentHashMap<>();
    AtomicInteger round = new AtomicInteger();
    scheduler.scheduleAtFixedRate(
        () -> {
          if (round.incrementAndGet() > 3) {
            throw new IllegalStateException("broken");
          }
          asked.values().forEach(each -> each.complete(1));
          asked.clear();
        },
        1,
        1,
        TimeUnit.SECONDS);
    for (int i = 0; i < REQUESTS; i++) {
      Integer id = i;
      Programs.repeat(
          1,
          () -> {
            CompletableFuture<Integer> next = new CompletableFuture<>();
            asked.put(id, next);
            ROUNDS.add(next.join());
          });
    }
  }

  /** The task does not throw, and comes every six seconds. */
  @Programs.Healthy
  static void scheduledTaskAnswers() {
    ScheduledExecutorService scheduler =
        Executors.newSingleThreadScheduledExecutor(Programs::daemon);
    KEPT.add(scheduler);
    ConcurrentHashMap<Integer, CompletableFuture<Integer>> asked = new ConcurrentHashMap<>();
    scheduler.scheduleAtFixedRate(
        () -> {
          asked.values().forEach(each -> each.complete(1));
          asked.clear();
        },
        1,
        6,
        TimeUnit.SECONDS);
    for (int i = 0; i < REQUESTS; i++) {
      Integer id = i;
      Programs.repeat(
          1,
          () -> {
            CompletableFuture<Integer> next = new CompletableFuture<>();
            asked.put(id, next);
            ROUNDS.add(next.join());
            Programs.sleep(0.1);
          });
    }
  }

  /** A generator on a virtual thread hands over its elements, and its reader was cancelled. */
  @Programs.StandsStill("SynchronousQueue")
  static void generatorWithoutReader() {
    Asked.service();
    for (int i = 0; i < REQUESTS; i++) {
      SynchronousQueue<Integer> elements = new SynchronousQueue<>();
      Programs.repeat(1, () -> elements.put(1));
      Programs.start(
          () -> {
            for (int read = 0; read < 3; read++) {
              ROUNDS.add(elements.take());
            }
          });
    }
  }

  /** A lazy value is made by a thread that waits for who asks for the value. */
  @Programs.StandsStill("CompletableFuture|computeIfAbsent")
  static void cacheOfFutures() {
    Asked.service();
    ConcurrentHashMap<Integer, CompletableFuture<Integer>> cache = new ConcurrentHashMap<>();
    Programs.start(
        REQUESTS,
        () -> {
          CompletableFuture<Integer> mine = new CompletableFuture<>();
          CompletableFuture<Integer> first = cache.putIfAbsent(1, mine);
          if (first == null) {
            mine.complete(Integer.parseInt("one"));
          }
          ROUNDS.add((first == null ? mine : first).join());
        });
  }
}
