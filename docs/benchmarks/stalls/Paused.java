import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** Loops that pause at two places, and healthy ones that beat until something changes. */
final class Paused {
  private static final LongAdder ROUNDS = new LongAdder();
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();
  private static final int REQUESTS = 4;
  private static volatile long lastBeat;
  private static volatile boolean enabled;

  private Paused() {}

  /** What a loop does so that others see that it lives. */
  private static void beat() {
    lastBeat = System.nanoTime();
    ROUNDS.increment();
  }

  /** Clients try to get a lost permit for a moment, sleep, and try again. */
  @Programs.StandsStill("Semaphore")
  static void permitTriedAndSlept() {
    Asked.service();
    Semaphore permits = new Semaphore(0);
    Programs.start(
        REQUESTS,
        () -> {
          while (!permits.tryAcquire(20, TimeUnit.MILLISECONDS)) {
            Thread.sleep(50);
          }
          permits.release();
        });
  }

  /** The same with times that are as long, and a beat. */
  @Programs.StandsStill("Semaphore")
  static void permitTriedSleptAndBeat() {
    Asked.service();
    Semaphore permits = new Semaphore(0);
    Programs.start(
        REQUESTS,
        () -> {
          while (!permits.tryAcquire(300, TimeUnit.MILLISECONDS)) {
            beat();
            Thread.sleep(300);
          }
          permits.release();
        });
  }

  /** Clients try to get a lock whose owner sleeps for ever, and sleep in between. */
  @Programs.StandsStill("ReentrantLock|Thread.sleep")
  static void lockTriedAndSlept() throws InterruptedException {
    Asked.service();
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch taken = new CountDownLatch(1);
    Programs.start(
        () -> {
          lock.lock();
          taken.countDown();
          Programs.sleepForEver();
        });
    taken.await();
    Programs.start(
        REQUESTS,
        () -> {
          while (!lock.tryLock(100, TimeUnit.MILLISECONDS)) {
            Thread.sleep(200);
          }
          lock.unlock();
        });
  }

  /** Requests poll for their answer, and sleep if there is none. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void answerPolledAndSlept() {
    Asked.service();
    Programs.start(
        REQUESTS,
        () -> {
          LinkedBlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
          Integer answer = null;
          while (answer == null) {
            answer = answers.poll(100, TimeUnit.MILLISECONDS);
            Thread.sleep(100);
          }
          ROUNDS.add(answer);
        });
  }

  /** Requests get a future for a moment, and sleep until they try again. */
  @Programs.StandsStill("CompletableFuture")
  static void futureGottenAndSlept() {
    Asked.service();
    CompletableFuture<Integer> never = new CompletableFuture<>();
    Programs.start(REQUESTS, () -> ROUNDS.add(gotten(never)));
  }

  private static int gotten(CompletableFuture<Integer> future)
      throws InterruptedException, ExecutionException {
    while (true) {
      try {
        return future.get(50, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        Thread.sleep(150);
      }
    }
  }

  /** Requests await a latch for a moment, and sleep. */
  @Programs.StandsStill("CountDownLatch")
  static void latchAwaitedAndSlept() {
    Asked.service();
    CountDownLatch never = new CountDownLatch(1);
    Programs.start(
        REQUESTS,
        () -> {
          while (!never.await(100, TimeUnit.MILLISECONDS)) {
            Thread.sleep(100);
          }
          beat();
        });
  }

  /** Clients get permits, which others have for a while, after some rounds. */
  @Programs.Healthy
  static void permitsTriedAndGotten() {
    Asked.service();
    Semaphore permits = new Semaphore(1);
    Programs.repeat(
        REQUESTS,
        () -> {
          while (!permits.tryAcquire(20, TimeUnit.MILLISECONDS)) {
            Thread.sleep(50);
          }
          Programs.sleep(2);
          permits.release();
        });
  }

  /** One client at a time has a permit, for eight seconds. */
  @Programs.Healthy
  static void permitsTriedAndGottenSlowly() {
    Asked.service();
    Semaphore permits = new Semaphore(1);
    Programs.repeat(
        REQUESTS,
        () -> {
          while (!permits.tryAcquire(200, TimeUnit.MILLISECONDS)) {
            beat();
            Thread.sleep(200);
          }
          Programs.sleep(8);
          permits.release();
        });
  }

  /** Consumers poll and sleep while there is no work. */
  @Programs.Healthy
  static void workPolledAndSlept() {
    Asked.service();
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    KEPT.add(queue);
    Programs.repeat(
        REQUESTS,
        () -> {
          Integer job = queue.poll(100, TimeUnit.MILLISECONDS);
          if (job == null) {
            Thread.sleep(100);
          } else {
            ROUNDS.add(job);
          }
        });
  }

  /** A refresher gets a lock, or tries again later, and sleeps after its work. */
  @Programs.Healthy
  static void lockGottenAndSlept() {
    Asked.service();
    ReentrantLock lock = new ReentrantLock();
    Programs.repeat(
        2,
        () -> {
          if (lock.tryLock(100, TimeUnit.MILLISECONDS)) {
            try {
              Programs.sleep(0.2);
            } finally {
              lock.unlock();
            }
          }
          Thread.sleep(200);
        });
  }

  /** Reloads are asked for by a field or a latch now and then, and a heart beats until then. */
  @Programs.Healthy
  static void beatUntilReload() {
    Asked.service();
    Programs.repeat(
        1,
        () -> {
          enabled = false;
          Programs.sleep(7);
          enabled = true;
          Programs.sleep(1.2);
        });
    Programs.repeat(
        2,
        () -> {
          while (!enabled) {
            beat();
            Programs.sleep(0.5);
          }
          Programs.sleep(2);
        });
  }

  /** Two reporters beat until the program's end, which a latch or a field would tell. */
  @Programs.Healthy
  static void beatUntilClosed() {
    Asked.service();
    CountDownLatch closed = new CountDownLatch(1);
    KEPT.add(closed);
    Programs.start(
        2,
        () -> {
          while (!closed.await(500, TimeUnit.MILLISECONDS)) {
            beat();
          }
        });
    Programs.start(
        () -> {
          while (!closed.await(200, TimeUnit.MILLISECONDS)) {
            beat();
            Thread.sleep(200);
          }
        });
  }

  /** Who is the leader of a cluster; a standby tries to become it while the leader works. */
  @Programs.Healthy
  static void standby() {
    Asked.service();
    AtomicReference<Integer> leader = new AtomicReference<>();
    KEPT.add(leader);
    for (int i = 0; i < 3; i++) {
      Integer self = i;
      Programs.start(
          () -> {
            while (!leader.compareAndSet(null, self)) {
              Programs.sleep(0.5);
            }
            while (true) {
              beat();
              Programs.sleep(0.3);
            }
          });
    }
  }

  /** The same, but each renews its term. */
  @Programs.Healthy
  static void standbyWithTerm() {
    Asked.service();
    AtomicReference<Integer> leader = new AtomicReference<>();
    for (int i = 0; i < 3; i++) {
      Integer self = i;
      Programs.repeat(
          1,
          () -> {
            while (!leader.compareAndSet(null, self)) {
              Programs.sleep(0.5);
            }
            for (int beats = 0; beats < 14; beats++) {
              beat();
              Programs.sleep(0.5);
            }
            leader.set(null);
            Programs.sleep(1);
          });
    }
  }
}
