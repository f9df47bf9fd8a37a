import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** What made virtual threads of services stand still, beside what goes on there. */
final class Incidents {
  private static final LongAdder ROUNDS = new LongAdder();
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();
  private static final int REQUESTS = 4;

  private static volatile String leader;
  private static volatile boolean warm;
  private static volatile int waits;

  private Incidents() {}

  private static void fail(String what) throws IOException {
    if (!what.isEmpty()) {
      throw new IOException(what);
    }
  }

  /** A parser reads characters from a writer that is connected and never used. */
  @Programs.StandsStill("pipe|PipedReader")
  static void readerOfUnusedWriter() throws IOException {
    Asked.service();
    PipedWriter writer = new PipedWriter();
    PipedReader reader = new PipedReader(writer);
    KEPT.add(writer);
    Programs.start(() -> ROUNDS.add(reader.read()));
  }

  /** A part of work is joined that was not forked, because another one failed before. */
  @Programs.StandsStill("ForkJoinTask")
  static void partJoinedQuietly() {
    Asked.service();
    Programs.start(
        REQUESTS,
        () -> {
          ForkJoinTask<Integer> part = ForkJoinTask.adapt((Callable<Integer>) () -> 1);
          try {
            fail("no connection");
            part.fork();
          } catch (IOException e) {
            ROUNDS.increment();
          }
          part.quietlyJoin();
        });
  }

  /** Requests have a pool of one thread compute, where the first waits for the second. */
  @Programs.StandsStill("ForkJoinPool|ForkJoinTask")
  static void invokedInFullPool() {
    Asked.service();
    ForkJoinPool pool = new ForkJoinPool(1);
    KEPT.add(pool);
    CountDownLatch second = new CountDownLatch(1);
    Programs.start(
        () ->
            pool.invoke(
                ForkJoinTask.adapt(
                    (Callable<Integer>)
                        () -> {
                          second.await();
                          return 1;
                        })));
    Programs.start(
        () -> {
          Programs.sleep(0.5);
          pool.invoke(ForkJoinTask.adapt(second::countDown));
        });
  }

  /** Tasks of the common pool wait for one that is queued behind them. */
  @Programs.StandsStill("ForkJoinTask|CountDownLatch")
  static void commonPoolFull() {
    Asked.service();
    CountDownLatch last = new CountDownLatch(1);
    Programs.start(
        () -> {
          List<ForkJoinTask<?>> tasks = new CopyOnWriteArrayList<>();
          for (int i = 0; i < 8; i++) {
            tasks.add(
                ForkJoinPool.commonPool()
                    .submit(
                        () -> {
                          last.await();
                          return 1;
                        }));
          }
          tasks.add(ForkJoinPool.commonPool().submit(last::countDown));
          for (ForkJoinTask<?> task : tasks) {
            task.join();
          }
        });
  }

  /** A gate that holds requests up while the service is paused. */
  private static final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private boolean paused = true;

    void pass() throws InterruptedException {
      lock.lock();
      try {
        while (paused) {
          opened.await();
        }
      } finally {
        lock.unlock();
      }
    }

    void set(boolean pause, boolean signal) {
      lock.lock();
      try {
        paused = pause;
        if (signal) {
          opened.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** The service goes on, and who opens the gate signals nobody. */
  @Programs.StandsStill("Condition")
  static void gateOpenedSilently() {
    Asked.service();
    Gate gate = new Gate();
    KEPT.add(gate);
    Programs.start(REQUESTS, gate::pass);
    Programs.start(
        () -> {
          Programs.sleep(1);
          gate.set(false, false);
        });
  }

  /** The service is paused for eight seconds now and then. */
  @Programs.Healthy
  static void gateOpenedAgain() {
    Gate gate = new Gate();
    Programs.repeat(
        REQUESTS,
        () -> {
          gate.pass();
          Programs.sleep(0.2);
        });
    Programs.repeat(
        1,
        () -> {
          gate.set(false, true);
          Programs.sleep(1);
          gate.set(true, true);
          Programs.sleep(8);
        });
  }

  /** Connections kept in a deque, as older services do. */
  private static final class Connections {
    private final Deque<Integer> idle = new ArrayDeque<>(List.of(1, 2));

    synchronized int take() throws InterruptedException {
      while (idle.isEmpty()) {
        wait();
      }
      return idle.pop();
    }

    synchronized void giveBack(int connection) {
      idle.push(connection);
      notifyAll();
    }
  }

  /** A request that fails does not give its connection back. */
  @Programs.StandsStill("Object.wait|Connections.take|Incidents$Connections.take")
  static void connectionsLostOnError() {
    Asked.service();
    Connections connections = new Connections();
    for (int i = 0; i < REQUESTS; i++) {
      int request = i;
      Programs.start(
          () -> {
            for (int round = 0; true; round++) {
              int connection = connections.take();
              Programs.sleep(0.1);
              try {
                fail(round == 3 && request < 2 ? "statement" : "");
                connections.giveBack(connection);
              } catch (IOException e) {
                ROUNDS.increment();
              }
            }
          });
    }
  }

  /** All give their connections back, after five seconds. Before, those that wait keep carriers. */
  @Programs.Healthy(java = 25)
  static void connectionsOfSlowStatements() {
    Connections connections = new Connections();
    Programs.repeat(
        REQUESTS,
        () -> {
          int connection = connections.take();
          Programs.sleep(5);
          connections.giveBack(connection);
        });
  }

  /** One call at a time probes a service that was down; the first of them failed. */
  @Programs.StandsStill("AtomicBoolean|compareAndSet|probing")
  static void probeNotReset() {
    Asked.service();
    AtomicBoolean probing = new AtomicBoolean();
    KEPT.add(probing);
    Programs.start(
        REQUESTS,
        () -> {
          while (!probing.compareAndSet(false, true)) {
            Programs.sleep(0.1);
          }
          fail("still down");
          probing.set(false);
        });
  }

  /** Members wait until there is a leader, and the election has failed. */
  @Programs.StandsStill("leader|Incidents.leader")
  static void leaderNeverElected() {
    Asked.service();
    Programs.start(
        () -> {
          fail("no quorum");
          leader = "first";
        });
    Programs.start(
        REQUESTS,
        () -> {
          while (leader == null) {
            Thread.sleep(100);
          }
          ROUNDS.add(leader.length());
        });
  }

  /** Requests wait until caches are warm, count how often, and log; the loader has failed. */
  @Programs.StandsStill("warm|Incidents.warm")
  static void cacheNeverWarm() {
    Asked.service();
    Programs.start(
        () -> {
          fail("no such table");
          warm = true;
        });
    Programs.start(
        REQUESTS,
        () -> {
          while (!warm) {
            waits++;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            if (waits % 100 == 0) {
              System.getLogger("cache").log(System.Logger.Level.INFO, "not warm yet");
            }
          }
        });
  }

  /** Parts of an answer that have to be sent in their order. */
  private static final class InOrder {
    private int next;

    synchronized void send(int part) throws InterruptedException {
      while (next != part) {
        wait(500);
      }
      next++;
      notifyAll();
    }
  }

  /** One part failed, and those behind it wait for their turn. */
  @Programs.StandsStill("next|InOrder.next|Object.wait")
  static void partOfSequenceLost() {
    Asked.service();
    InOrder order = new InOrder();
    for (int i = 0; i < 2 * REQUESTS; i++) {
      int part = i;
      Programs.start(
          () -> {
            Programs.sleep(0.3);
            fail(part == 2 ? "part" : "");
            order.send(part);
          });
    }
  }

  /** The same without an error, with five seconds for each part. */
  @Programs.Healthy
  static void sequenceOfSlowParts() {
    Programs.repeat(
        1,
        () -> {
          InOrder order = new InOrder();
          CountDownLatch sent = new CountDownLatch(REQUESTS);
          for (int i = 0; i < REQUESTS; i++) {
            int part = i;
            Programs.start(
                () -> {
                  Programs.sleep(5 * part);
                  order.send(part);
                  sent.countDown();
                });
          }
          sent.await();
        });
  }

  private static void answer(Map<Integer, CompletableFuture<Integer>> calls, int id) {
    CompletableFuture<Integer> call = calls.remove(id);
    if (call != null) {
      call.complete(id);
    }
  }

  /** A dispatcher gets answers all the time, but those of some calls have another number. */
  @Programs.StandsStill("CompletableFuture")
  static void answersWithWrongId() {
    Map<Integer, CompletableFuture<Integer>> calls = new ConcurrentHashMap<>();
    for (int i = 0; i < REQUESTS; i++) {
      int id = i;
      Programs.start(() -> ROUNDS.add(call(calls, id)));
    }
    Programs.start(
        () -> {
          for (int id = 1_000; true; id++) {
            Programs.sleep(0.3);
            answer(calls, id);
          }
        });
  }

  private static int call(Map<Integer, CompletableFuture<Integer>> calls, int id) {
    CompletableFuture<Integer> call = new CompletableFuture<>();
    calls.put(id, call);
    return call.join();
  }

  /** Each call has its answer after eight seconds. */
  @Programs.Healthy
  static void answersAfterAWhile() {
    Map<Integer, CompletableFuture<Integer>> calls = new ConcurrentHashMap<>();
    for (int i = 0; i < REQUESTS; i++) {
      int id = i;
      Programs.repeat(1, () -> ROUNDS.add(call(calls, id)));
    }
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(8);
          for (int id = 0; id < REQUESTS; id++) {
            answer(calls, id);
          }
        });
  }

  /** An event loop whose tasks are to run as soon as its selector is woken. */
  private static Queue<CompletableFuture<Integer>> eventLoop() throws IOException {
    Selector selector = Selector.open();
    Queue<CompletableFuture<Integer>> tasks = new ConcurrentLinkedQueue<>();
    KEPT.add(selector);
    Programs.startPlatform(
        () -> {
          while (selector.isOpen()) {
            selector.select();
            while (!tasks.isEmpty()) {
              tasks.remove().complete(1);
            }
          }
        });
    return tasks;
  }

  /** Those that hand in tasks forget to wake it. */
  @Programs.StandsStill("CompletableFuture")
  static void selectorNotWoken() throws IOException {
    Asked.service();
    Queue<CompletableFuture<Integer>> tasks = eventLoop();
    Programs.start(
        REQUESTS,
        () -> {
          Programs.sleep(0.5);
          CompletableFuture<Integer> task = new CompletableFuture<>();
          tasks.add(task);
          ROUNDS.add(task.get());
        });
  }

  /** A task of an event loop waits for another task of the same loop. */
  @Programs.StandsStill("Promise|DefaultPromise|Netty|PromiseTask|Object.wait")
  static void taskBehindItself() {
    Asked.service();
    DefaultEventLoop loop = new DefaultEventLoop();
    KEPT.add(loop);
    CountDownLatch behind = new CountDownLatch(1);
    Programs.start(
        () -> {
          Future<Integer> result =
              loop.submit(
                  () -> {
                    loop.execute(behind::countDown);
                    behind.await();
                    return 1;
                  });
          ROUNDS.add(result.get());
        });
  }

  /** The first of two replicas to answer is taken, and both need a lost permit. */
  @Programs.StandsStill("Semaphore")
  static void bothReplicasWait() {
    Asked.service();
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    KEPT.add(executor);
    Semaphore permits = new Semaphore(0);
    Callable<Integer> replica =
        () -> {
          permits.acquire();
          return 1;
        };
    Programs.start(() -> ROUNDS.add(executor.invokeAny(List.of(replica, replica))));
  }

  /** A listener is called under a lock, and asks other threads, which need the lock. */
  @Programs.StandsStill("ReentrantLock|ExecutorService|Future")
  static void listenersNeedLock() {
    Asked.service();
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    KEPT.add(executor);
    ReentrantLock lock = new ReentrantLock();
    Callable<Integer> listener =
        () -> {
          lock.lock();
          try {
            return 1;
          } finally {
            lock.unlock();
          }
        };
    Programs.start(
        () -> {
          lock.lock();
          try {
            ROUNDS.add(executor.invokeAll(List.of(listener, listener)).size());
          } finally {
            lock.unlock();
          }
        });
  }

  /** Something that is due at once. */
  private record Due(int number) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }

  /** What puts reminders into a queue has failed, after a few of them. */
  @Programs.StandsStill("DelayQueue")
  static void remindersLost() {
    Asked.service();
    DelayQueue<Due> reminders = new DelayQueue<>();
    Programs.repeat(2, () -> ROUNDS.add(reminders.take().number));
    Programs.start(
        () -> {
          for (int i = 0; true; i++) {
            Programs.sleep(0.2);
            fail(i == 8 ? "reminder" : "");
            reminders.put(new Due(i));
          }
        });
  }

  /** There is a reminder every 15 seconds. */
  @Programs.Healthy
  static void remindersNowAndThen() {
    DelayQueue<Due> reminders = new DelayQueue<>();
    Programs.repeat(2, () -> ROUNDS.add(reminders.take().number));
    Programs.repeat(
        1,
        () -> {
          reminders.put(new Due(1));
          Programs.sleep(15);
        });
  }

  /** What consumes the events of a publisher is awaited, whose source failed and never closes it. */
  @Programs.StandsStill("CompletableFuture")
  static void publisherNeverClosed() {
    Asked.service();
    SubmissionPublisher<Integer> publisher =
        new SubmissionPublisher<>(Executors.newCachedThreadPool(Programs::daemon), 16);
    KEPT.add(publisher);
    CompletableFuture<Void> consumed = publisher.consume(ROUNDS::add);
    Programs.start(
        () -> {
          publisher.submit(1);
          fail("source");
          publisher.close();
        });
    Programs.start(consumed::get);
  }

  private static int remembered(Map<Integer, FutureTask<Integer>> cache, String fault)
      throws Exception {
    FutureTask<Integer> task = new FutureTask<>(() -> 1);
    FutureTask<Integer> before = cache.putIfAbsent(1, task);
    if (before == null) {
      fail(fault);
      task.run();
      return task.get();
    }
    return before.get();
  }

  /** The request that should have computed a value failed before it began to. */
  @Programs.StandsStill("Future|FutureTask")
  static void valueNeverComputed() {
    Asked.service();
    Map<Integer, FutureTask<Integer>> cache = new ConcurrentHashMap<>();
    KEPT.add(cache);
    Programs.start(REQUESTS, () -> ROUNDS.add(remembered(cache, "over quota")));
  }

  /** Threads that take turns, each of which signals the next. */
  private static void takesTurns(int rounds) {
    ReentrantLock lock = new ReentrantLock();
    Condition[] turns = {lock.newCondition(), lock.newCondition(), lock.newCondition()};
    int[] turn = {0};
    for (int i = 0; i < turns.length; i++) {
      int own = i;
      Programs.start(
          () -> {
            for (int round = 0; own > 0 || round < rounds; round++) {
              lock.lock();
              try {
                while (turn[0] != own) {
                  turns[own].await();
                }
                turn[0] = (own + 1) % turns.length;
                turns[turn[0]].signal();
              } finally {
                lock.unlock();
              }
              Programs.sleep(0.2);
            }
          });
    }
  }

  /** The first of them has done its rounds and is not there for its next turn. */
  @Programs.StandsStill("Condition")
  static void turnOfOneThatLeft() {
    Asked.service();
    takesTurns(5);
  }

  /** All of them stay. */
  @Programs.Healthy
  static void turnsGoOn() {
    takesTurns(Integer.MAX_VALUE);
  }

  /** Permits of which one comes each nine seconds, for three that try again and again. */
  @Programs.Healthy
  static void permitsRefilledSlowly() {
    Semaphore permits = new Semaphore(0);
    Programs.repeat(
        3,
        () -> {
          while (!permits.tryAcquire()) {
            Programs.sleep(0.2);
          }
          ROUNDS.increment();
        });
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(9);
          permits.release();
        });
  }
}
