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
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** One platform thread that waits for what virtual threads should have done, while a timer ticks. */
final class Starters {
  private static final LongAdder ROUNDS = new LongAdder();
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();
  private static final int PARTS = 4;

  private static volatile boolean loaded;
  private static volatile boolean changed;

  private Starters() {}

  private static void ticks() {
    ScheduledExecutorService scheduler =
        Executors.newSingleThreadScheduledExecutor(Programs::daemon);
    KEPT.add(scheduler);
    scheduler.scheduleAtFixedRate(ROUNDS::increment, 0, 500, TimeUnit.MILLISECONDS);
  }

  private static void main(Programs.Body body) {
    ticks();
    Thread.ofPlatform()
        .name("starter")
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

  /** Two answers are combined, and who gets the second one has failed. */
  @Programs.StandsStill("CompletableFuture")
  static void combinedWithLost() {
    main(
        () -> {
          CompletableFuture<Integer> stock = CompletableFuture.supplyAsync(() -> 1, executor());
          CompletableFuture<Integer> price = new CompletableFuture<>();
          Programs.start(
              () -> {
                fail("price");
                price.complete(2);
              });
          ROUNDS.add(stock.thenCombine(price, Integer::sum).join());
        });
  }

  /** All of several answers are awaited, and one never comes. */
  @Programs.StandsStill("CompletableFuture")
  static void allOfWithLost() {
    main(
        () -> {
          CompletableFuture<?>[] parts = new CompletableFuture<?>[PARTS];
          for (int i = 0; i < PARTS; i++) {
            int part = i;
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            parts[i] = answer;
            Programs.start(
                () -> {
                  fail(part == 2 ? "part" : "");
                  answer.complete(part);
                });
          }
          CompletableFuture.allOf(parts).get();
        });
  }

  /** A task is gotten that its pool had dropped. */
  @Programs.StandsStill("Future|FutureTask")
  static void droppedTaskGotten() {
    main(
        () -> {
          ExecutorService pool = Executors.newFixedThreadPool(1, Thread.ofVirtual().factory());
          pool.submit(
              () -> {
                Programs.sleep(1);
                return 1;
              });
          var second = pool.submit(() -> 2);
          KEPT.add(pool.shutdownNow());
          ROUNDS.add(second.get());
        });
  }

  /** Results are polled for, and who should have put the last one has failed. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void lastResultPolled() {
    main(() -> poll(PARTS, "part"));
  }

  private static void poll(int parts, String fault) throws InterruptedException {
    LinkedBlockingQueue<Integer> results = new LinkedBlockingQueue<>();
    for (int i = 0; i < parts; i++) {
      int part = i;
      Programs.start(
          () -> {
            Programs.sleep(0.5);
            fail(part == 2 ? fault : "");
            if (fault.isEmpty()) {
              Asked.work(Asked.LONGER_THAN_ALL);
            }
            results.put(part);
          });
    }
    for (int done = 0; done < parts; ) {
      Integer result = results.poll(1, TimeUnit.SECONDS);
      if (result != null) {
        done++;
      }
    }
  }

  /** The same while all of them are still at work. */
  @Programs.Healthy
  static void resultsOfLongWorkPolled() {
    main(() -> poll(PARTS, ""));
  }

  /** A loop until data are loaded, and the loader has failed. */
  @Programs.StandsStill("loaded|Starters.loaded")
  static void neverLoaded() {
    main(
        () -> {
          Programs.start(
              () -> {
                fail("no file");
                loaded = true;
              });
          while (!loaded) {
            Thread.sleep(100);
          }
        });
  }

  /** A lock is tried for a second again and again, and its owner has ended. */
  @Programs.StandsStill("ReentrantLock")
  static void lockOfEndedTried() {
    main(
        () -> {
          ReentrantLock lock = new ReentrantLock();
          Programs.start(
              () -> {
                lock.lock();
                fail("update");
                lock.unlock();
              });
          Programs.sleep(1);
          while (!lock.tryLock(1, TimeUnit.SECONDS)) {
            ROUNDS.increment();
          }
        });
  }

  /** A starter asks for an answer again and again, of workers that wait for what it puts then. */
  @Programs.StandsStill("CompletableFuture|LinkedBlockingQueue")
  static void eachWaitsForOther() {
    main(
        () -> {
          CompletableFuture<Integer> first = new CompletableFuture<>();
          LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>();
          Programs.start(
              PARTS,
              () -> {
                int job = work.take();
                first.complete(job);
              });
          while (true) {
            try {
              work.put(first.get(1, TimeUnit.SECONDS));
            } catch (TimeoutException e) {
              ROUNDS.increment();
            }
          }
        });
  }

  /** A phase ends when all parties have come, and one has failed. */
  @Programs.StandsStill("Phaser")
  static void partyFailed() {
    main(
        () -> {
          Phaser phaser = new Phaser(1 + PARTS);
          for (int i = 0; i < PARTS; i++) {
            int part = i;
            Programs.start(
                () -> {
                  fail(part == 1 ? "party" : "");
                  phaser.arrive();
                });
          }
          phaser.arriveAndAwaitAdvance();
        });
  }

  private static void acquireAll(String fault) throws InterruptedException {
    Semaphore ended = new Semaphore(0);
    for (int i = 0; i < PARTS; i++) {
      int part = i;
      Programs.start(
          () -> {
            fail(part == 1 ? fault : "");
            if (fault.isEmpty()) {
              Asked.work(Asked.LONGER_THAN_ALL);
            }
            ended.release();
          });
    }
    ended.acquire(PARTS);
  }

  /** The end of all parts is awaited by permits, and one has failed. */
  @Programs.StandsStill("Semaphore")
  static void permitOfFailedPart() {
    main(() -> acquireAll("part"));
  }

  /** The same while all parts are at work. */
  @Programs.Healthy
  static void permitsOfLongWork() {
    main(() -> acquireAll(""));
  }

  /** Work that counts the parts that are left under its monitor. */
  private static final class Work {
    private int left = PARTS;

    synchronized void done() {
      left--;
      notifyAll();
    }

    synchronized void await() throws InterruptedException {
      while (left > 0) {
        wait();
      }
    }
  }

  /** The end of all parts is awaited under a monitor, and one has failed. */
  @Programs.StandsStill("Object.wait")
  static void notificationOfFailedPart() {
    main(
        () -> {
          Work work = new Work();
          for (int i = 0; i < PARTS; i++) {
            int part = i;
            Programs.start(
                () -> {
                  fail(part == 1 ? "part" : "");
                  work.done();
                });
          }
          work.await();
        });
  }

  /** A main thread joins the loop of the program. */
  @Programs.Healthy
  static void loopJoined() {
    main(
        () ->
            CompletableFuture.runAsync(
                    () -> {
                      while (ROUNDS.sum() >= 0) {
                        pause();
                      }
                    },
                    executor())
                .join());
  }

  private static void pause() {
    try {
      Programs.sleep(0.3);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A main thread joins all consumers of a queue, in which there is something now and then. */
  @Programs.Healthy
  static void consumersJoined() {
    main(
        () -> {
          LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>();
          KEPT.add(work);
          ExecutorService executor = executor();
          CompletableFuture<?>[] consumers = new CompletableFuture<?>[PARTS];
          for (int i = 0; i < PARTS; i++) {
            consumers[i] =
                CompletableFuture.runAsync(
                    () -> {
                      while (true) {
                        ROUNDS.add(taken(work));
                      }
                    },
                    executor);
          }
          Programs.repeat(
              1,
              () -> {
                work.put(1);
                Programs.sleep(6);
              });
          CompletableFuture.allOf(consumers).join();
        });
  }

  private static int taken(LinkedBlockingQueue<Integer> work) {
    try {
      return work.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A main thread asks each second for a command, and there is none. */
  @Programs.Healthy
  static void commandsPolled() {
    main(
        () -> {
          LinkedBlockingQueue<String> commands = new LinkedBlockingQueue<>();
          KEPT.add(commands);
          while (true) {
            String command = commands.poll(1, TimeUnit.SECONDS);
            if (command != null) {
              ROUNDS.add(command.length());
            }
          }
        });
  }

  /** A platform thread looks whether a configuration has changed, and then reads it. */
  @Programs.Healthy
  static void changesLookedFor() {
    main(
        () -> {
          KEPT.add((Runnable) () -> changed = true);
          while (true) {
            while (!changed) {
              Thread.sleep(200);
            }
            changed = false;
            ROUNDS.increment();
          }
        });
  }

  /** A main thread awaits the end by a future, and logs each second. */
  @Programs.Healthy
  static void endAwaitedWithTicks() {
    main(
        () -> {
          CompletableFuture<Void> end = new CompletableFuture<>();
          KEPT.add(end);
          Programs.repeat(1, () -> Programs.sleep(0.5));
          end.join();
        });
  }

  /** Two parts of a server keep it alive by one future. */
  @Programs.Healthy
  static void twoKeepServerAlive() throws IOException {
    ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    KEPT.add(server);
    Programs.startPlatform(
        () -> {
          while (true) {
            server.accept().close();
          }
        });
    CompletableFuture<Void> end = new CompletableFuture<>();
    KEPT.add(end);
    for (int i = 0; i < 2; i++) {
      main(end::join);
    }
    Programs.repeat(1, () -> Programs.sleep(0.5));
  }

  /** A main thread awaits the end by a latch, and counts each second. */
  @Programs.Healthy
  static void endAwaitedByTimer() {
    main(
        () -> {
          CountDownLatch end = new CountDownLatch(1);
          KEPT.add(end);
          while (!end.await(1, TimeUnit.SECONDS)) {
            ROUNDS.increment();
          }
        });
  }
}
