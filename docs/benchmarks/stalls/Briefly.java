import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import stormpot.Allocator;
import stormpot.Pool;
import stormpot.Poolable;
import stormpot.Slot;
import stormpot.Timeout;

/** Threads that wait briefly, again and again, or that are platform threads. */
final class Briefly {
  private static final LongAdder ROUNDS = new LongAdder();
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();
  private static final int REQUESTS = 4;
  private static volatile long lastBeat;
  private static volatile int tries;
  private static volatile boolean active = true;

  private Briefly() {}

  /** What a loop does so that others see that it lives. */
  private static void beat() {
    lastBeat = System.nanoTime();
    ROUNDS.increment();
  }

  /** Clients try to get a lock for a second, beat, and try again; its owner waits for ever. */
  @Programs.StandsStill("ReentrantLock")
  static void lockTriedWithBeat() {
    Asked.service();
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch taken = new CountDownLatch(1);
    Programs.start(
        () -> {
          lock.lock();
          taken.countDown();
          Programs.sleepForEver();
        });
    Programs.start(
        REQUESTS,
        () -> {
          taken.await();
          while (!lock.tryLock(1, TimeUnit.SECONDS)) {
            beat();
          }
          lock.unlock();
        });
  }

  /** Clients try to get a lost permit each half a second, and beat. */
  @Programs.StandsStill("Semaphore")
  static void permitTriedWithBeat() {
    Asked.service();
    Semaphore permits = new Semaphore(0);
    Programs.start(
        REQUESTS,
        () -> {
          while (!permits.tryAcquire()) {
            beat();
            Programs.sleep(0.5);
          }
          permits.release();
        });
  }

  /** A request polls for its answer, which nobody gives, and beats in each round. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void answerPolledWithBeat() {
    Asked.service();
    LinkedBlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    Programs.start(
        REQUESTS,
        () -> {
          Integer answer = null;
          while (answer == null) {
            answer = answers.poll(1, TimeUnit.SECONDS);
            beat();
          }
          ROUNDS.add(answer);
        });
  }

  /** Futures are asked for, a second at a time, each by a new call of the client. */
  @Programs.StandsStill("CompletableFuture")
  static void futureAskedAnew() {
    Asked.service();
    Programs.repeat(
        REQUESTS,
        () -> {
          try {
            new CompletableFuture<Integer>().get(1, TimeUnit.SECONDS);
          } catch (TimeoutException e) {
            beat();
          }
        });
  }

  /** Consumers poll an empty queue and beat, since there is no work. */
  @Programs.Healthy
  static void pollersWithBeat() {
    Asked.service();
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(
        REQUESTS,
        () -> {
          Integer job = queue.poll(1, TimeUnit.SECONDS);
          beat();
          if (job != null) {
            ROUNDS.add(job);
          }
        });
  }

  /** A permit is free most of the time; a health check asks for it with a time-out of a second. */
  @Programs.Healthy
  static void healthCheckSucceeds() {
    Semaphore permits = new Semaphore(1);
    Programs.repeat(
        2,
        () -> {
          if (permits.tryAcquire(1, TimeUnit.SECONDS)) {
            Programs.sleep(0.2);
            permits.release();
          }
          beat();
          Programs.sleep(2);
        });
  }

  /** A health check finds a permit taken in all but one of four rounds. */
  @Programs.Healthy
  static void checkSucceedsNowAndThen() {
    Semaphore permits = new Semaphore(1);
    Programs.repeat(
        1,
        () -> {
          permits.acquire();
          Programs.sleep(7);
          permits.release();
          Programs.sleep(1.2);
        });
    Programs.repeat(
        2,
        () -> {
          if (permits.tryAcquire(1, TimeUnit.SECONDS)) {
            permits.release();
          }
          beat();
          Programs.sleep(1);
        });
  }

  /** A heart beat in a loop that counts. */
  @Programs.Healthy
  static void heartBeat() {
    Asked.service();
    Programs.repeat(
        1,
        () -> {
          beat();
          tries++;
          Programs.sleep(0.5);
        });
  }

  /** A heart beat until the program is told to end, by a latch or by a flag. */
  @Programs.Healthy
  static void heartBeatUntilStopped() {
    Asked.service();
    CountDownLatch stop = new CountDownLatch(1);
    Programs.start(
        () -> {
          while (!stop.await(500, TimeUnit.MILLISECONDS)) {
            beat();
          }
        });
    Programs.start(
        () -> {
          while (active) {
            beat();
            Programs.sleep(0.5);
          }
        });
  }

  private static ExecutorService platformPool() {
    ExecutorService pool = Executors.newFixedThreadPool(REQUESTS, Programs::daemon);
    KEPT.add(pool);
    return pool;
  }

  private static void request(ExecutorService pool, int count, Programs.Body body) {
    for (int i = 0; i < count; i++) {
      Programs.submit(pool, body);
    }
  }

  /** Requests on platform threads wait for permits, all of which are lost. */
  @Programs.StandsStill("Semaphore")
  static void platformRequestsWithoutPermits() {
    Asked.service();
    Semaphore permits = new Semaphore(0);
    request(platformPool(), 2 * REQUESTS, permits::acquire);
  }

  /** Requests on platform threads wait for a future that nobody completes. */
  @Programs.StandsStill("CompletableFuture")
  static void platformRequestsForFuture() {
    Asked.service();
    CompletableFuture<Integer> never = new CompletableFuture<>();
    request(platformPool(), 2 * REQUESTS, never::get);
  }

  /** Requests on platform threads wait for a latch that nobody counts down. */
  @Programs.StandsStill("CountDownLatch")
  static void platformRequestsForLatch() {
    Asked.service();
    CountDownLatch never = new CountDownLatch(1);
    request(platformPool(), 2 * REQUESTS, never::await);
  }

  /** Requests on platform threads get permits one after the other. */
  @Programs.Healthy
  static void platformRequestsServed() {
    Asked.service();
    Semaphore permits = new Semaphore(1);
    request(
        platformPool(),
        REQUESTS,
        () -> {
          while (true) {
            permits.acquire();
            Programs.sleep(0.5);
            permits.release();
          }
        });
  }

  /** A platform thread keeps a server alive until a latch is counted down at shutdown. */
  @Programs.Healthy
  static void platformKeepsAlive() throws IOException {
    Asked.service();
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Programs.startPlatform(server::accept);
    CountDownLatch stop = new CountDownLatch(1);
    KEPT.add(stop);
    Thread.ofPlatform().start(() -> Programs.run(stop::await)); // no daemon
    Programs.startPlatform(() -> Thread.currentThread().join());
    ExecutorService pool = platformPool();
    request(pool, 1, stop::await);
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    request(pool, 1, queue::take);
  }

  /** An object of a pool. */
  private record Pooled(Slot slot) implements Poolable {
    @Override
    public void release() {
      slot.release(this);
    }
  }

  /** Makes them. */
  private static final class Maker implements Allocator<Pooled> {
    @Override
    public Pooled allocate(Slot slot) {
      return new Pooled(slot);
    }

    @Override
    public void deallocate(Pooled object) {
      beat();
    }
  }

  private static Pool<Pooled> stormpot() {
    Pool<Pooled> pool = Pool.from(new Maker()).setSize(2).build();
    KEPT.add(pool);
    return pool;
  }

  /** All objects of a pool are taken and not released. */
  @Programs.StandsStill("Stormpot")
  static void leakedStormpot() throws Exception {
    Asked.service();
    Pool<Pooled> pool = stormpot();
    Timeout timeout = new Timeout(1, TimeUnit.HOURS);
    KEPT.add(List.of(pool.claim(timeout), pool.claim(timeout)));
    Programs.start(REQUESTS, () -> pool.claim(timeout).release());
  }

  /** Objects of such a pool are kept for six seconds each. */
  @Programs.Healthy
  static void stormpotServesSlowly() {
    Pool<Pooled> pool = stormpot();
    Timeout timeout = new Timeout(1, TimeUnit.HOURS);
    Programs.repeat(
        REQUESTS,
        () -> {
          Pooled one = pool.claim(timeout);
          Programs.sleep(6);
          one.release();
        });
  }

  /** Objects of such a pool are taken and released. */
  @Programs.Healthy
  static void stormpotServes() {
    Pool<Pooled> pool = stormpot();
    Timeout timeout = new Timeout(1, TimeUnit.HOURS);
    Programs.repeat(
        REQUESTS,
        () -> {
          Pooled one = pool.claim(timeout);
          Programs.sleep(0.4);
          one.release();
        });
  }
}
