import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.SettableFuture;
import com.google.common.util.concurrent.Striped;
import java.io.IOException;
import java.util.List;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** Pools, maps, classes, permits, locks and tasks that virtual threads share, beside a service. */
final class Sharing {
  private static final LongAdder ROUNDS = new LongAdder();
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();
  private static final int REQUESTS = 4;

  private Sharing() {}

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

  private static void requestsWithBuffers(int buffers, boolean givenBack) {
    Asked.service();
    ArrayBlockingQueue<byte[]> pool = new ArrayBlockingQueue<>(buffers);
    for (int i = 0; i < buffers; i++) {
      pool.add(new byte[10]);
    }
    ThreadLocal<byte[]> buffer =
        ThreadLocal.withInitial(
            () -> {
              try {
                return pool.take();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(0.2);
          Programs.start(
              () -> {
                byte[] own = buffer.get();
                ROUNDS.add(own.length);
                Programs.sleep(0.5);
                if (givenBack) {
                  pool.put(own);
                }
              });
        });
  }

  /** Each request has a buffer of a pool in a ThreadLocal, which ends with its thread. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void buffersOfEndedThreads() {
    requestsWithBuffers(8, false);
  }

  /** The same where each request puts its buffer back. */
  @Programs.Healthy
  static void buffersPutBack() {
    requestsWithBuffers(8, true);
  }

  /** A value of a map is computed by a task that needs the same key of the map. */
  @Programs.StandsStill("ConcurrentHashMap|computeIfAbsent|FutureTask|Future|monitor|deadlock")
  static void computedByTaskOfSameKey() {
    Asked.service();
    ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    ExecutorService executor = executor();
    Programs.start(
        () ->
            map.computeIfAbsent(
                "price",
                key -> {
                  try {
                    return executor.submit(() -> map.computeIfAbsent("price", k -> 1)).get();
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }));
  }

  /** A registry whose initializer joins a thread that needs it. */
  static final class Registry {
    static final int SIZE;

    static {
      try {
        int[] size = new int[1];
        Thread.ofVirtual().start(() -> size[0] = count(1)).join();
        SIZE = size[0];
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private Registry() {}

    static int count(int more) {
      return more;
    }
  }

  /** A class joins a thread while it is initialized, which needs that class. */
  @Programs.StandsStill("class initialization|deadlock")
  static void initializerJoinsThread() {
    Asked.service();
    Programs.startPlatform(() -> ROUNDS.add(Registry.SIZE));
  }

  /** The limit is made anew at each change of the configuration, and permits go to the new one. */
  @Programs.StandsStill("Semaphore")
  static void permitsGivenToNewLimit() {
    Asked.service();
    AtomicReference<Semaphore> limit = new AtomicReference<>(new Semaphore(2));
    Programs.start(
        2,
        () -> {
          limit.get().acquire();
          Programs.sleep(2);
          limit.get().release();
        });
    Programs.start(
        () -> {
          Programs.sleep(1);
          Semaphore old = limit.get();
          Programs.start(3, old::acquire);
          Programs.sleep(0.2);
          limit.set(new Semaphore(2));
        });
  }

  /** Requests wait for the next prices, which a scheduled task completes, and it has failed. */
  @Programs.StandsStill("CompletableFuture")
  static void nextPricesNeverCome() {
    prices("price");
  }

  /** The same where prices come every eight seconds. */
  @Programs.Healthy
  static void nextPricesComeSlowly() {
    prices("");
  }

  private static void prices(String fault) {
    Asked.service();
    AtomicReference<CompletableFuture<Integer>> next =
        new AtomicReference<>(new CompletableFuture<>());
    ScheduledExecutorService scheduler =
        Executors.newSingleThreadScheduledExecutor(Programs::daemon);
    KEPT.add(scheduler);
    scheduler.scheduleAtFixedRate(
        () -> {
          ROUNDS.increment();
          if (ROUNDS.sum() > 3 && !fault.isEmpty()) {
            throw new IllegalStateException(fault);
          }
          next.getAndSet(new CompletableFuture<>()).complete(1);
        },
        1,
        fault.isEmpty() ? 8 : 1,
        TimeUnit.SECONDS);
    Programs.repeat(REQUESTS, () -> ROUNDS.add(next.get().join()));
  }

  /** A thread joins the one that it is itself. */
  @Programs.StandsStill("Thread.join")
  static void joinsItself() {
    Asked.service();
    Programs.start(() -> Thread.currentThread().join());
  }

  private static void stripes(boolean leak) {
    Asked.service();
    Striped<Semaphore> stripes = Striped.semaphore(2, 1);
    KEPT.add(stripes);
    Programs.repeat(
        REQUESTS,
        () -> {
          int key = (int) (ROUNDS.sum() % 10);
          ROUNDS.increment();
          Semaphore stripe = stripes.get(key);
          stripe.acquire();
          Programs.sleep(leak ? 0.1 : 2);
          if (!leak || ROUNDS.sum() < 20) {
            stripe.release();
          }
        });
  }

  /** Permits of Guava's stripes leak. */
  @Programs.StandsStill("Semaphore")
  static void stripesLeak() {
    stripes(true);
  }

  /** Each stripe is kept for two seconds. */
  @Programs.Healthy
  static void stripesInTurn() {
    stripes(false);
  }

  /** All of three futures of Guava are awaited, and one is never set. */
  @Programs.StandsStill("Guava future")
  static void oneOfListMissing() {
    Asked.service();
    Programs.start(
        REQUESTS,
        () -> {
          SettableFuture<Integer> second = SettableFuture.create();
          ROUNDS.add(
              Futures.allAsList(Futures.immediateFuture(1), second, Futures.immediateFuture(3))
                  .get()
                  .size());
        });
  }

  /** The first of no futures at all is awaited. */
  @Programs.StandsStill("CompletableFuture")
  static void firstOfNone() {
    Asked.service();
    CompletableFuture<?>[] none = {};
    Programs.start(REQUESTS, () -> CompletableFuture.anyOf(none).join());
  }

  /** A value of a cache is composed of the same value. */
  @Programs.StandsStill("CompletableFuture")
  static void cachedByItself() {
    Asked.service();
    AsyncCache<String, Integer> cache = Caffeine.newBuilder().buildAsync();
    Programs.start(
        REQUESTS,
        () ->
            cache
                .get(
                    "a",
                    (key, executor) ->
                        // Done at once, it would be composed in here, which the cache refuses.
                        CompletableFuture.supplyAsync(
                                () -> 1,
                                CompletableFuture.delayedExecutor(
                                    100, TimeUnit.MILLISECONDS, executor))
                            .thenCompose(
                                one ->
                                    cache.get(
                                        "a", (k, e) -> CompletableFuture.completedFuture(one))))
                .join());
  }

  private static void hold(ReentrantLock lock) {
    lock.lock();
    try {
      ROUNDS.add(
          IntStream.range(0, 8)
              .parallel()
              .map(
                  i -> {
                    lock.lock();
                    try {
                      Programs.sleep(0.2);
                      return i;
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    } finally {
                      lock.unlock();
                    }
                  })
              .sum());
    } finally {
      lock.unlock();
    }
  }

  /** A parallel stream is read under a lock that its parts need. */
  @Programs.StandsStill("ReentrantLock|ForkJoinTask|CountedCompleter")
  static void streamNeedsLock() {
    Asked.service();
    ReentrantLock lock = new ReentrantLock();
    Programs.start(() -> hold(lock));
  }

  /** Two lists with monitors add each other. */
  @Programs.StandsStill("deadlock")
  static void listsAddEachOther() {
    Asked.service();
    Vector<Integer> first = new Vector<>(IntStream.range(0, 100).boxed().toList());
    Vector<Integer> second = new Vector<>(IntStream.range(0, 100).boxed().toList());
    CountDownLatch both = new CountDownLatch(2);
    Programs.start(() -> merge(first, second, both));
    Programs.start(() -> merge(second, first, both));
  }

  private static void merge(Vector<Integer> to, Vector<Integer> from, CountDownLatch both) {
    to.removeIf(
        item -> {
          both.countDown();
          try {
            both.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return !from.contains(item);
        });
  }

  private static void bigRequest(int permits) {
    Asked.service();
    Semaphore memory = new Semaphore(4, true);
    Programs.repeat(
        2,
        () -> {
          memory.acquire();
          Programs.sleep(0.2);
          memory.release();
        });
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(1);
          memory.acquire(permits);
          Programs.sleep(5);
          memory.release(permits);
        });
  }

  /** A request for five of four permits is first in the queue, and others wait behind it. */
  @Programs.StandsStill("Semaphore")
  static void moreThanThereIs() {
    bigRequest(5);
  }

  /** The same for all four. */
  @Programs.Healthy
  static void allThereIs() {
    bigRequest(4);
  }

  /** A thread asks each 100 ms whether another one lives, which waits for a latch. */
  @Programs.StandsStill("CountDownLatch|isAlive|sleep")
  static void askedWhetherAlive() {
    Asked.service();
    CountDownLatch latch = new CountDownLatch(1);
    Thread worker = Programs.start(latch::await);
    Programs.start(
        () -> {
          while (worker.isAlive()) {
            Thread.sleep(100);
          }
        });
  }

  /** The first answer of three is awaited, and no answer ever comes. */
  @Programs.StandsStill("socket|ExecutorService|ExecutorCompletionService|CompletableFuture")
  static void firstOfThreeNeverComes() {
    Asked.service();
    CompletableFuture<Integer> never = new CompletableFuture<>();
    List<Callable<Integer>> tasks = List.of(never::get, never::get, never::get);
    Programs.start(() -> executor().invokeAny(tasks));
  }

  /** The first answer of three takes some time. */
  @Programs.Healthy
  static void firstOfThreeComesSlowly() {
    Asked.service();
    Callable<Integer> task =
        () -> {
          Programs.sleep(12);
          return 1;
        };
    Programs.repeat(2, () -> executor().invokeAny(List.of(task, task, task)));
  }

  /** A mailbox that others put into and a monitor thread watches. */
  private static final class Mailbox {
    private int mails;
    private boolean closed;

    synchronized void put() {
      mails++;
      notify();
    }

    synchronized void take() throws InterruptedException {
      while (mails == 0) {
        wait();
      }
      mails--;
    }

    synchronized void awaitClosed() throws InterruptedException {
      while (!closed) {
        wait();
      }
    }

    synchronized void close() {
      closed = true;
      notifyAll();
    }
  }

  /** One is notified, who waits at the same object for something else. */
  @Programs.StandsStill(value = "Object.wait", java = 25)
  static void otherOneNotified() {
    Asked.service();
    Mailbox box = new Mailbox();
    Programs.start(box::awaitClosed);
    Programs.start(
        () -> {
          Programs.sleep(0.3);
          Programs.start(box::take);
          Programs.sleep(0.5);
          box.put();
        });
    KEPT.add((Runnable) box::close);
  }

  /** A thread has locked a lock by mistake twice, and goes on with other work for ever. */
  @Programs.StandsStill("ReentrantLock")
  static void lockOfOneThatGoesOn() {
    Asked.service();
    ReentrantLock lock = new ReentrantLock();
    Programs.start(
        () -> {
          lock.lock();
          while (true) {
            lock.lock();
            try {
              ROUNDS.increment();
            } finally {
              lock.unlock();
            }
            Programs.sleep(0.5);
          }
        });
    Programs.start(
        REQUESTS,
        () -> {
          Programs.sleep(1);
          lock.lock();
          lock.unlock();
        });
  }

  /** A lock is handed on each eight seconds. */
  @Programs.Healthy
  static void lockHandedOn() {
    Asked.service();
    ReentrantLock lock = new ReentrantLock(true);
    Programs.repeat(
        3,
        () -> {
          lock.lock();
          try {
            Programs.sleep(8);
          } finally {
            lock.unlock();
          }
        });
  }

  /** Tasks of a pool give it more tasks, and wait until there is room in its queue. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void tasksWaitForRoom() {
    Asked.service();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            2,
            2,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(2),
            Thread.ofVirtual().factory(),
            (task, full) -> {
              try {
                full.getQueue().put(task);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    KEPT.add(pool);
    for (int i = 0; i < 2; i++) {
      pool.execute(
          () -> {
            for (int part = 0; part < 5; part++) {
              pool.execute(ROUNDS::increment);
            }
          });
    }
  }

  /** An actor asks itself, and waits for its own answer. */
  @Programs.StandsStill("CompletableFuture")
  static void actorAsksItself() {
    Asked.service();
    LinkedBlockingQueue<CompletableFuture<Integer>> mail = new LinkedBlockingQueue<>();
    Programs.start(
        () -> {
          while (true) {
            CompletableFuture<Integer> asked = mail.take();
            if (ROUNDS.sum() > 3) {
              CompletableFuture<Integer> own = new CompletableFuture<>();
              mail.put(own);
              ROUNDS.add(own.get());
            }
            ROUNDS.increment();
            asked.complete(1);
          }
        });
    Programs.repeat(
        1,
        () -> {
          CompletableFuture<Integer> answer = new CompletableFuture<>();
          mail.put(answer);
          answer.get();
          Programs.sleep(0.5);
        });
  }

  /** Actors ask one another, and each answer takes five seconds. */
  @Programs.Healthy
  static void actorAnswersSlowly() {
    Asked.service();
    LinkedBlockingQueue<CompletableFuture<Integer>> mail = new LinkedBlockingQueue<>();
    Programs.repeat(
        1,
        () -> {
          CompletableFuture<Integer> asked = mail.take();
          Programs.sleep(5);
          asked.complete(1);
        });
    Programs.repeat(
        1,
        () -> {
          CompletableFuture<Integer> answer = new CompletableFuture<>();
          mail.put(answer);
          answer.get();
        });
  }

  /** Requests join what a stage completes, which fails before it does; nobody looks at the stage. */
  @Programs.StandsStill("CompletableFuture")
  static void completerOfStageFailed() {
    Asked.service();
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    Programs.start(REQUESTS, answer::join);
    KEPT.add(
        CompletableFuture.runAsync(
            () -> {
              try {
                Programs.sleep(1);
                fail("stage");
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
              answer.complete(1);
            },
            executor()));
  }

  /** Workers take what a stage of a future puts into a queue, and it has failed. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void feedingStageFailed() {
    Asked.service();
    LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>();
    Programs.start(
        REQUESTS,
        () -> {
          while (true) {
            ROUNDS.add(work.take());
          }
        });
    KEPT.add(
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 0; i < 50; i++) {
                  work.put(i);
                  Programs.sleep(0.05);
                }
                fail("feed");
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            executor()));
  }

  /** A stage fails now and then, which its caller handles, and workers get what others put. */
  @Programs.Healthy
  static void failedStagesHandled() {
    Asked.service();
    LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>();
    ExecutorService executor = executor();
    Programs.repeat(REQUESTS, () -> ROUNDS.add(work.take()));
    Programs.repeat(
        1,
        () -> {
          ROUNDS.add(
              CompletableFuture.supplyAsync(
                      () -> {
                        if (ROUNDS.sum() % 2 == 0) {
                          throw new IllegalStateException("odd");
                        }
                        work.add(1);
                        return 1;
                      },
                      executor)
                  .exceptionally(e -> 2)
                  .join());
          Programs.sleep(2);
        });
  }
}
