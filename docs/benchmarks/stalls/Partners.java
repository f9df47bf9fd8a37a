import com.jolbox.bonecp.BoneCP;
import com.jolbox.bonecp.BoneCPConfig;
import com.sun.net.httpserver.HttpServer;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Threads that wait for a partner who does not come, or for an answer from the same program. */
final class Partners {
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();

  private Partners() {}

  /** A thread offers an exchange again and again, and no other one comes. */
  @Programs.StandsStill("Exchanger")
  static void exchangeTriedAlone() {
    Asked.service();
    Exchanger<Integer> exchanger = new Exchanger<>();
    Programs.start(
        () -> {
          while (true) {
            try {
              exchanger.exchange(1, 2, TimeUnit.SECONDS);
              return;
            } catch (TimeoutException e) {
              // tries again
            }
          }
        });
  }

  /** A party of a phaser registers and ends, after three rounds. */
  @Programs.StandsStill("Phaser")
  static void phaserPartyEnds() {
    Asked.service();
    Phaser phaser = new Phaser(4);
    Programs.start(
        3,
        () -> {
          while (true) {
            phaser.arriveAndAwaitAdvance();
          }
        });
    Programs.start(
        () -> {
          for (int i = 0; i < 3; i++) {
            phaser.arriveAndAwaitAdvance();
            Programs.sleep(0.5);
          }
        });
  }

  /** A barrier breaks when one of three parties times out; it resets it, and all come again. */
  @Programs.StandsStill("CyclicBarrier")
  static void brokenBarrierReset() {
    Asked.service();
    CyclicBarrier barrier = new CyclicBarrier(4);
    Programs.start(
        3,
        () -> {
          while (true) {
            try {
              barrier.await(3, TimeUnit.SECONDS);
              return;
            } catch (TimeoutException e) {
              barrier.reset();
            } catch (BrokenBarrierException e) {
              Thread.sleep(50);
            }
          }
        });
  }

  /** Elements are offered to a taker who has ended, again and again. */
  @Programs.StandsStill("SynchronousQueue")
  static void offeredToNobody() {
    Asked.service();
    SynchronousQueue<Integer> queue = new SynchronousQueue<>();
    Programs.start(() -> queue.take());
    Programs.start(
        3,
        () -> {
          while (!queue.offer(1, 1, TimeUnit.SECONDS)) {
            Thread.onSpinWait();
          }
        });
  }

  /** A bounded buffer of its own, which signals the wrong condition. */
  private static final class Buffer {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition();
    private final Condition notEmpty = lock.newCondition();
    private final ArrayDeque<Integer> elements = new ArrayDeque<>();
    private final boolean wrong;

    Buffer(boolean wrong) {
      this.wrong = wrong;
    }

    void put(int element) throws InterruptedException {
      lock.lock();
      try {
        while (elements.size() == 2) {
          notFull.await();
        }
        elements.add(element);
        (wrong ? notFull : notEmpty).signal();
      } finally {
        lock.unlock();
      }
    }

    int take() throws InterruptedException {
      lock.lock();
      try {
        while (elements.isEmpty()) {
          notEmpty.await();
        }
        int element = elements.remove();
        notFull.signal();
        return element;
      } finally {
        lock.unlock();
      }
    }
  }

  /** The consumer is never told, and the producers find the buffer full. */
  @Programs.StandsStill("Condition")
  static void bufferSignalsWrongCondition() {
    Asked.service();
    Buffer buffer = new Buffer(true);
    Programs.repeat(1, buffer::take);
    Programs.start(
        2,
        () -> {
          Programs.sleep(1);
          while (true) {
            buffer.put(1);
          }
        });
  }

  /** The same buffer, right, with an element each three seconds. */
  @Programs.Healthy
  static void bufferOfSlowProducer() {
    Buffer buffer = new Buffer(false);
    Programs.repeat(3, buffer::take);
    Programs.repeat(
        1,
        () -> {
          buffer.put(1);
          Programs.sleep(3);
        });
  }

  /** A cache tries to get the write lock while it reads, a second at a time. */
  @Programs.StandsStill("ReentrantReadWriteLock")
  static void upgradeTriedAgain() {
    Asked.service();
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    Programs.start(
        2,
        () -> {
          lock.readLock().lock();
          while (!lock.writeLock().tryLock(1, TimeUnit.SECONDS)) {
            Thread.onSpinWait();
          }
          lock.writeLock().unlock();
          lock.readLock().unlock();
        });
  }

  /** Each of two pools of one thread waits for a task that it has given to the other one. */
  @Programs.StandsStill("Future")
  static void poolsInACircle() {
    Asked.service();
    ExecutorService first = Executors.newFixedThreadPool(1, Thread.ofVirtual().factory());
    ExecutorService second = Executors.newFixedThreadPool(1, Thread.ofVirtual().factory());
    CountDownLatch both = new CountDownLatch(2);
    Programs.submit(first, () -> ask(second, both));
    Programs.submit(second, () -> ask(first, both));
  }

  private static void ask(ExecutorService other, CountDownLatch both) throws Exception {
    both.countDown();
    both.await();
    other.submit(() -> 1).get();
  }

  /** A sink that nobody completes is awaited through two operators. */
  @Programs.StandsStill("Reactor")
  static void blockOnSilentSink() {
    Asked.service();
    Sinks.One<Integer> sink = Sinks.one();
    Programs.start(3, () -> sink.asMono().map(i -> i + 1).flatMap(Mono::just).block());
  }

  /** A stream tries again after each error, for ever. */
  @Programs.StandsStill("RxJava|Reactor")
  static void retriedForEver() {
    Asked.service();
    Programs.start(
        3,
        () ->
            Single.<Integer>error(new IllegalStateException("refused"))
                .retryWhen(errors -> errors.delay(1, TimeUnit.SECONDS, Schedulers.single()))
                .blockingGet());
  }

  /** An answer of a stream comes after two seconds each time. */
  @Programs.Healthy
  static void slowSingles() {
    Programs.repeat(4, () -> Single.timer(2, TimeUnit.SECONDS).blockingGet());
  }

  private static HttpRequest request(HttpServer server) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"))
        .build();
  }

  /** A handler of a server of this program asks the same server, whose only thread it has. */
  @Programs.StandsStill("HTTP")
  static void serverAsksItself() throws Exception {
    Asked.service();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    HttpClient client = HttpClient.newHttpClient();
    server.createContext(
        "/",
        exchange -> {
          try {
            client.send(request(server), HttpResponse.BodyHandlers.ofString());
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.setExecutor(Executors.newFixedThreadPool(1, Thread.ofVirtual().factory()));
    server.start();
    Programs.start(() -> client.send(request(server), HttpResponse.BodyHandlers.ofString()));
  }

  /** A client waits until its object is collected, which another map refers to. */
  @Programs.StandsStill("ReferenceQueue")
  static void referenceNeverCleared() {
    Asked.service();
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    Object kept = new Object();
    WeakReference<Object> reference = new WeakReference<>(kept, queue);
    Map<String, Object> all = new ConcurrentHashMap<>(Map.of("a", kept, "b", reference));
    Programs.start(
        2,
        () -> {
          Programs.sleep(0.5);
          queue.remove();
          all.clear();
        });
    KEPT.add(all);
  }

  /** A cleaner waits for objects that are collected now and then. */
  @Programs.Healthy
  static void cleaner() {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    Programs.repeat(1, queue::remove);
    KEPT.add(new WeakReference<>(KEPT, queue));
    Programs.repeat(1, () -> Programs.sleep(1));
  }

  /** Eight threads share two permits, for which they look again ten times a second. */
  @Programs.Healthy
  static void permitsLookedForAgain() {
    Semaphore permits = new Semaphore(2);
    Programs.repeat(
        8,
        () -> {
          while (!permits.tryAcquire(100, TimeUnit.MILLISECONDS)) {
            Thread.onSpinWait();
          }
          Programs.sleep(0.3);
          permits.release();
        });
  }

  /** Ten threads want one permit, and most give up after two seconds. */
  @Programs.Healthy
  static void mostPermitsTimeOut() {
    Semaphore permits = new Semaphore(1);
    Programs.repeat(
        10,
        () -> {
          if (permits.tryAcquire(2, TimeUnit.SECONDS)) {
            Programs.sleep(0.7);
            permits.release();
          } else {
            Programs.sleep(0.2);
          }
        });
  }

  /** All permits are lost; eight threads try to get one for three seconds each time. */
  @Programs.StandsStill("Semaphore")
  static void permitsTriedAtTheSameTime() {
    Semaphore permits = new Semaphore(4);
    permits.acquireUninterruptibly(4);
    Programs.repeat(
        8,
        () -> {
          if (permits.tryAcquire(3, TimeUnit.SECONDS)) {
            permits.release();
          }
          Programs.sleep(0.5);
        });
  }

  /** All connections are taken and not closed. */
  @Programs.StandsStill("BoneCP")
  static void leakedBoneCp() throws Exception {
    Asked.service();
    BoneCPConfig config = new BoneCPConfig();
    config.setJdbcUrl("jdbc:h2:mem:bone");
    config.setPartitionCount(1);
    config.setMinConnectionsPerPartition(2);
    config.setMaxConnectionsPerPartition(2);
    BoneCP pool = new BoneCP(config);
    KEPT.add(List.of(pool.getConnection(), pool.getConnection()));
    Programs.start(4, () -> pool.getConnection().close());
  }
}
