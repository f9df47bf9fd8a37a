import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Ways to stand still that people have reported, beside a service that goes on. */
final class Reported {
  private Reported() {}

  /** Stages of two executors, each with one thread, join stages of the other one. */
  @Programs.StandsStill("CompletableFuture")
  static void chainAcrossExecutors() {
    Asked.service();
    ExecutorService orders = Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    ExecutorService prices = Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    CountDownLatch both = new CountDownLatch(2);
    CompletableFuture<Integer> order =
        CompletableFuture.supplyAsync(() -> joined(both, prices), orders);
    CompletableFuture<Integer> price =
        CompletableFuture.supplyAsync(() -> joined(both, orders), prices);
    Programs.start(5, () -> order.thenCombine(price, Integer::sum).join());
  }

  private static int joined(CountDownLatch both, ExecutorService other) {
    both.countDown();
    try {
      both.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return CompletableFuture.supplyAsync(() -> 1, other).thenApply(one -> one + 1).join();
  }

  /** Three threads exchange, and the third one finds no partner. */
  @Programs.StandsStill("Exchanger")
  static void thirdAtExchanger() {
    Asked.service();
    Exchanger<Integer> exchanger = new Exchanger<>();
    Programs.start(3, () -> exchanger.exchange(1));
  }

  /** A pool of two threads runs three tasks that meet at a barrier. */
  @Programs.StandsStill("CyclicBarrier")
  static void barrierOfMoreThanPool() {
    Asked.service();
    CyclicBarrier barrier = new CyclicBarrier(3);
    ExecutorService pool = Executors.newFixedThreadPool(2, Thread.ofVirtual().factory());
    for (int i = 0; i < 3; i++) {
      Programs.submit(pool, barrier::await);
    }
  }

  /** A barrier breaks for a party with a timeout, which is reset and awaits it once more. */
  @Programs.StandsStill("CyclicBarrier")
  static void barrierResetByOne() {
    Asked.service();
    CyclicBarrier barrier = new CyclicBarrier(3);
    Programs.start(
        2,
        () -> {
          try {
            barrier.await();
          } catch (BrokenBarrierException e) {
            Programs.sleep(1);
            barrier.await();
          }
        });
    Programs.start(
        () -> {
          Programs.sleep(1);
          barrier.reset();
        });
  }

  /** Tasks that a pool has not begun yet are registered with the phaser that others await. */
  @Programs.StandsStill("Phaser")
  static void phaserOfQueuedTasks() {
    Asked.service();
    Phaser phaser = new Phaser();
    ExecutorService pool = Executors.newFixedThreadPool(3, Thread.ofVirtual().factory());
    for (int i = 0; i < 6; i++) {
      phaser.register();
      Programs.submit(pool, phaser::arriveAndAwaitAdvance);
    }
  }

  /** A thread writes more to a child process than fits, and the child does not read. */
  @Programs.StandsStill("feedChild|native code|Process")
  static void childReadsNothing() throws IOException {
    Asked.service();
    Process child = new ProcessBuilder("sleep", "1000").start();
    Programs.start(() -> feedChild(child.getOutputStream()));
  }

  private static void feedChild(OutputStream out) throws IOException {
    out.write(new byte[1_000_000]);
    out.flush();
  }

  /** A pool drops tasks that it has no room for, and others get their results. */
  @Programs.StandsStill("Future|FutureTask")
  static void taskDropped() {
    Asked.service();
    ExecutorService pool =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            Thread.ofVirtual().factory(),
            new ThreadPoolExecutor.DiscardPolicy());
    Callable<Integer> task =
        () -> {
          Programs.sleep(1);
          return 1;
        };
    Programs.start(5, () -> pool.submit(task).get());
  }

  /** All tasks are given to a pool that drops some, and the caller waits for all of them. */
  @Programs.StandsStill("ExecutorService|Future|FutureTask")
  static void invokedAllAndSomeDropped() {
    Asked.service();
    ExecutorService pool =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            new ThreadPoolExecutor.DiscardOldestPolicy());
    Callable<Integer> task =
        () -> {
          Programs.sleep(1);
          return 1;
        };
    Programs.start(() -> pool.invokeAll(List.of(task, task, task, task)));
  }

  /** A future is to be completed by a scheduler that is shut down before. */
  @Programs.StandsStill("CompletableFuture")
  static void schedulerShutDownBefore() {
    Asked.service();
    ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1, Programs::daemon);
    CompletableFuture<Integer> late = new CompletableFuture<>();
    scheduler.schedule(() -> late.complete(1), 3, TimeUnit.SECONDS);
    Programs.start(4, late::join);
    scheduler.shutdownNow();
  }

  /** Threads wait for the end of a pool that nobody shuts down. */
  @Programs.StandsStill("ExecutorService")
  static void poolNeverShutDown() {
    Asked.service();
    ExecutorService pool = Executors.newFixedThreadPool(2, Thread.ofVirtual().factory());
    for (int i = 0; i < 10; i++) {
      Programs.submit(pool, () -> Programs.sleep(0.5));
    }
    Programs.start(() -> pool.awaitTermination(1, TimeUnit.DAYS));
  }

  /** A task closes the executor that runs it. */
  @Programs.StandsStill("ExecutorService")
  static void taskClosesItsExecutor() {
    Asked.service();
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    Programs.submit(executor, executor::close);
  }

  /** Workers put what failed back into the bounded queue from which they take. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void workersFillTheirOwnQueue() {
    Asked.service();
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(10);
    Programs.repeat(
        3,
        () -> {
          int failed = queue.take();
          Programs.sleep(0.05);
          queue.put(failed + 1);
          queue.put(failed + 2);
        });
    Programs.start(() -> queue.put(0));
  }

  /** One of several requests for a key loads it and fails, and the others join its future. */
  @Programs.StandsStill("CompletableFuture")
  static void loaderOfManyFailed() {
    Asked.service();
    ConcurrentHashMap<String, CompletableFuture<Integer>> loads = new ConcurrentHashMap<>();
    Programs.start(
        10,
        () -> {
          CompletableFuture<Integer> mine = new CompletableFuture<>();
          CompletableFuture<Integer> other = loads.putIfAbsent("key", mine);
          if (other == null) {
            Programs.sleep(1);
            mine.complete(Integer.parseInt("no number"));
          } else {
            other.join();
          }
        });
  }

  /** A reader waits for a message under its lock; a writer queues up, and readers behind it. */
  @Programs.StandsStill("ReentrantReadWriteLock|CompletableFuture")
  static void readersBehindWriter() {
    Asked.service();
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    CompletableFuture<Integer> message = new CompletableFuture<>();
    Programs.start(
        () -> {
          lock.readLock().lock();
          message.join();
        });
    Programs.start(
        () -> {
          Programs.sleep(1);
          lock.writeLock().lock();
        });
    Programs.start(
        10,
        () -> {
          Programs.sleep(2);
          lock.readLock().lock();
          message.complete(1);
        });
  }

  /** A permit is taken for each stage, and stages that fail do not give it back. */
  @Programs.StandsStill("Semaphore")
  static void permitsOfFailedStages() {
    Asked.service();
    Semaphore permits = new Semaphore(4);
    Programs.repeat(
        2,
        () -> {
          permits.acquire();
          CompletableFuture.runAsync(() -> Integer.parseInt("no number")).thenRun(permits::release);
        });
  }

  /** Threads block in a pool as blockers of it, and nobody releases them. */
  @Programs.StandsStill("park|ForkJoinPool|managedBlock|Reported.blocked")
  static void managedBlockers() {
    Asked.service();
    Programs.start(3, Reported::blocked);
  }

  private static void blocked() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    ForkJoinPool.managedBlock(
        new ForkJoinPool.ManagedBlocker() {
          @Override
          public boolean block() throws InterruptedException {
            never.await();
            return true;
          }

          @Override
          public boolean isReleasable() {
            return never.getCount() == 0;
          }
        });
  }

  /** A server writes to each connection by a virtual thread, and the clients do not read. */
  @Programs.StandsStill("socket write|Socket|socket")
  static void clientsDoNotRead() throws IOException {
    Asked.service();
    List<Socket> clients = new ArrayList<>();
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Programs.repeat(
        1,
        () -> {
          Socket client = server.accept();
          Programs.start(() -> client.getOutputStream().write(new byte[50_000_000]));
        });
    Programs.startPlatform(
        () -> {
          for (int i = 0; i < 5; i++) {
            Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
            socket.getInputStream().read();
            clients.add(socket); // Else it is closed as garbage.
          }
          Programs.sleepForEver();
        });
  }

  /** The task of a Timer fails, which ends the Timer; workers take what it put into a queue. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void timerFailed() {
    Asked.service();
    LinkedBlockingQueue<Integer> ticks = new LinkedBlockingQueue<>();
    Programs.repeat(3, ticks::take);
    new Timer(true)
        .schedule(
            new TimerTask() {
              private int count;

              @Override
              public void run() {
                ticks.add(++count);
                if (count == 80) {
                  throw new IllegalStateException("the task fails");
                }
              }
            },
            100,
            100);
  }

  /** A periodic task of a scheduler fails, and is not run any more; workers take its results. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void periodicTaskFailed() {
    Asked.service();
    LinkedBlockingQueue<Integer> ticks = new LinkedBlockingQueue<>();
    Programs.repeat(3, ticks::take);
    int[] count = new int[1];
    Executors.newScheduledThreadPool(1, Programs::daemon)
        .scheduleAtFixedRate(
            () -> {
              ticks.add(++count[0]);
              if (count[0] == 80) {
                throw new IllegalStateException("the task fails");
              }
            },
            100,
            100,
            TimeUnit.MILLISECONDS);
  }

  /** The same in a scheduler whose threads are virtual. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void periodicTaskOfVirtualThreadFailed() {
    Asked.service();
    LinkedBlockingQueue<Integer> ticks = new LinkedBlockingQueue<>();
    Programs.repeat(3, ticks::take);
    int[] count = new int[1];
    Executors.newScheduledThreadPool(1, Thread.ofVirtual().factory())
        .scheduleAtFixedRate(
            () -> {
              ticks.add(++count[0]);
              if (count[0] == 80) {
                throw new IllegalStateException("the task fails");
              }
            },
            100,
            100,
            TimeUnit.MILLISECONDS);
  }
}
