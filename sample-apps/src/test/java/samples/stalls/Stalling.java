package samples.stalls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads that wait for what never comes, and others that only look like it. */
public final class Stalling {
  private static volatile boolean ready;
  private static volatile boolean warm;
  private static int rounds;

  private Stalling() {}

  private interface Body {
    void run() throws Exception;
  }

  private static void start(int threads, Body body) {
    for (int i = 0; i < threads; i++) {
      Thread.ofVirtual().start(task(body));
    }
  }

  private static Runnable task(Body body) {
    return () -> {
      try {
        body.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    };
  }

  /**
   * Starts the threads, and ends the program after a while.
   *
   * @param args what to do, and for how many seconds
   */
  public static void main(String[] args) throws Exception {
    long seconds = Long.parseLong(args[1]);
    switch (args[0]) {
      case "futures" -> futures();
      case "permits" -> {
        Semaphore leaked = new Semaphore(4);
        start(20, leaked::acquire);
      }
      case "pool" -> {
        BlockingQueue<Integer> pool = new LinkedBlockingQueue<>(List.of(1, 2));
        start(3, () -> usePool(pool));
        start(1, Stalling::goOn);
      }
      case "late" -> {
        Semaphore late = new Semaphore(0);
        start(20, () -> awaitPermit(late));
        Thread.sleep(Duration.ofSeconds(seconds - 6));
        late.release(20);
        seconds = 6;
      }
      case "owner" -> {
        ReentrantLock lock = new ReentrantLock();
        Thread.startVirtualThread(lock::lock).join();
        start(5, lock::lock);
      }
      case "condition" -> {
        ReentrantLock lock = new ReentrantLock();
        Condition never = lock.newCondition();
        start(
            5,
            () -> {
              lock.lock();
              while (true) {
                never.await();
              }
            });
      }
      case "latch" -> start(1, new CountDownLatch(1)::await);
      case "left" -> {
        CountDownLatch loaded = new CountDownLatch(1);
        start(3, loaded::await);
        start(1, () -> load(loaded));
      }
      case "stage" -> {
        CountDownLatch loaded = new CountDownLatch(1);
        start(3, loaded::await);
        CompletableFuture<Void> stage =
            CompletableFuture.runAsync(() -> {}, task -> start(1, task::run))
                .thenRun(task(() -> load(loaded)));
        // Nobody looks at its exception.
        start(1, () -> Thread.sleep(stage.isDone() ? 1 : 2));
      }
      case "loop" -> start(1, Stalling::awaitFlag);
      case "warm" -> {
        start(1, Stalling::warm);
        start(1, Stalling::awaitWarm);
        start(1, () -> Thread.sleep(rounds % 2 == 0 ? 1 : 2));
      }
      case "itself" -> start(1, () -> Thread.currentThread().join());
      case "attempts" -> {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch taken = new CountDownLatch(1);
        start(
            1,
            () -> {
              lock.lock();
              taken.countDown();
              Thread.sleep(Duration.ofDays(1));
            });
        taken.await(); // Or one of the others might get the lock, and end with it.
        start(3, () -> tryAgain(lock));
      }
      case "held" -> shareOwnLock(false);
      case "leftHeld" -> shareOwnLock(true);
      case "answer" -> {
        ServerSocket server = listen();
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try (Socket client = server.accept()) {
                    client.getInputStream().read();
                    new CountDownLatch(1).await();
                  } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
        start(1, () -> ask(server));
        Process child = new ProcessBuilder("cat").start();
        start(1, () -> child.getInputStream().read());
      }
      case "failed" -> {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        start(5, () -> serve(queue));
        start(1, () -> feed(queue, true));
      }
      case "fed" -> {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        start(5, () -> serve(queue));
        start(1, () -> feed(queue, false));
      }
      case "closed" -> close(true);
      case "closedAtOnce" -> close(false);
      case "actors" -> {
        LinkedBlockingQueue<Integer> one = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<Integer> other = new LinkedBlockingQueue<>();
        start(1, () -> talk(one, other, true));
        start(1, () -> talk(other, one, false));
      }
      case "messages" -> {
        LinkedBlockingQueue<Integer> one = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<Integer> other = new LinkedBlockingQueue<>();
        start(1, () -> talk(one, other, false));
        start(1, () -> talk(other, one, false));
      }
      case "again" -> {
        CompletableFuture<Integer> never = new CompletableFuture<>();
        start(2, () -> askAgain(never));
      }
      case "child" -> {
        Process writing = new ProcessBuilder("timeout", "60", "yes").start();
        start(1, writing::waitFor);
      }
      case "healthy" -> healthy(seconds);
      default -> throw new IllegalArgumentException(args[0]);
    }
    Thread.sleep(Duration.ofSeconds(seconds));
    System.exit(0);
  }

  private static void serve(LinkedBlockingQueue<Integer> queue) throws InterruptedException {
    while (true) {
      queue.take();
    }
  }

  private static void load(CountDownLatch loaded) throws InterruptedException {
    Thread.sleep(1_000);
    if (loaded.getCount() > 0) {
      throw new IllegalStateException("nothing to load");
    }
    loaded.countDown();
  }

  private static void feed(LinkedBlockingQueue<Integer> queue, boolean fails)
      throws InterruptedException {
    for (int i = 0; i < 50; i++) {
      queue.put(i);
      Thread.sleep(20);
    }
    if (fails) {
      throw new IllegalStateException("no more input");
    }
  }

  /** Feeds workers, and waits until they end, which nobody has told them to. */
  private static void close(boolean slowly) {
    start(1, () -> Thread.sleep(Duration.ofDays(1)));
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            task(
                () -> {
                  try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (int i = 0; i < 3; i++) {
                      workers.execute(task(() -> serve(queue)));
                    }
                    if (slowly) {
                      feed(queue, false);
                    }
                  }
                }));
  }

  /** Answers each message, until none of the two has anything more to say. */
  private static void talk(
      LinkedBlockingQueue<Integer> own, LinkedBlockingQueue<Integer> other, boolean begins)
      throws InterruptedException {
    if (begins) {
      other.put(0);
    }
    for (int i = 0; i < 30; i++) {
      own.take();
      Thread.sleep(50);
      other.put(i);
    }
    own.take();
    own.take();
  }

  private static void askAgain(CompletableFuture<Integer> answer) throws Exception {
    while (true) {
      try {
        answer.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        // Once more.
      }
    }
  }

  /** Loses what it took each second time. */
  private static void usePool(BlockingQueue<Integer> pool) throws InterruptedException {
    for (int use = 1; ; use++) {
      Integer taken = pool.take();
      try {
        Thread.sleep(100);
        if (use % 2 == 0) {
          throw new IllegalStateException("the use fails");
        }
        pool.put(taken);
      } catch (IllegalStateException e) {
        // The next one may succeed.
      }
    }
  }

  private static void goOn() throws InterruptedException {
    while (true) {
      Thread.sleep(50);
    }
  }

  private static void awaitPermit(Semaphore permits) throws InterruptedException {
    permits.acquire();
  }

  @SuppressWarnings("ThreadPriorityCheck") // that is the fault
  private static void awaitFlag() {
    while (!ready) {
      Thread.yield();
    }
  }

  /** Fails in the first moments of the program. */
  private static void warm() {
    if (!warm) {
      throw new IllegalStateException("no such table");
    }
    warm = true;
  }

  private static void awaitWarm() {
    while (!warm) {
      rounds++;
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      System.getLogger("cache").log(System.Logger.Level.DEBUG, "not warm yet");
    }
  }

  @SuppressWarnings("LockNotBeforeTry") // nobody ever gets it
  private static void tryAgain(Lock lock) throws InterruptedException {
    while (!lock.tryLock(100, TimeUnit.MILLISECONDS)) {}
  }

  /** A lock that does not know its owner. */
  private static final class OwnLock extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean tryAcquire(int one) {
      return compareAndSetState(0, 1);
    }

    @Override
    protected boolean tryRelease(int one) {
      setState(0);
      return true;
    }
  }

  /** One thread waits for another, which has the lock at last, and fails or keeps it. */
  private static void shareOwnLock(boolean fails) throws InterruptedException {
    OwnLock lock = new OwnLock();
    Semaphore next = new Semaphore(0);
    CountDownLatch last = new CountDownLatch(1);
    start(
        1,
        () -> {
          while (true) {
            next.acquire();
            lock.acquire(1);
            lock.release(1);
          }
        });
    start(
        1,
        () -> {
          for (int i = 0; i < 50; i++) {
            lock.acquire(1);
            next.release();
            Thread.sleep(100);
            lock.release(1);
          }
          lock.acquire(1);
          next.release();
          last.countDown();
          if (fails) {
            throw new IllegalStateException("the owner fails");
          }
          Thread.sleep(Duration.ofDays(1));
        });
    last.await();
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  private static void ask(ServerSocket server) throws IOException {
    try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
      socket.getOutputStream().write(1);
      socket.getInputStream().read();
    }
  }

  /** A connection on which both sides wait for the other, and some that share a lock. */
  private static void idleConnection() throws IOException {
    ServerSocket server = listen();
    start(
        1,
        () -> {
          try (Socket client = server.accept()) {
            while (client.getInputStream().read() >= 0) {}
          }
        });
    start(
        1,
        () -> {
          try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
            socket.getOutputStream().write(1);
            while (socket.getInputStream().read() >= 0) {}
          }
        });
    ReentrantLock shared = new ReentrantLock();
    start(
        4,
        () -> {
          while (true) {
            tryAgain(shared);
            try {
              Thread.sleep(50);
            } finally {
              shared.unlock();
            }
          }
        });
  }

  /** Waits until a server ends that has had nothing to do yet. */
  private static void closeServer() {
    try (ExecutorService server = Executors.newVirtualThreadPerTaskExecutor()) {
      server.execute(task(() -> listen().accept()));
      server.execute(task(() -> serve(new LinkedBlockingQueue<>())));
    }
  }

  /** Each waits for the other's. */
  private static void futures() {
    CompletableFuture<Integer> one = new CompletableFuture<>();
    CompletableFuture<Integer> other = new CompletableFuture<>();
    start(1, () -> one.complete(other.join()));
    start(1, () -> other.complete(one.join()));
    start(5, one::join);
  }

  private static void healthy(long seconds) throws IOException, InterruptedException {
    idleConnection();
    Thread.ofPlatform().daemon().start(Stalling::closeServer);
    LinkedBlockingQueue<Integer> empty = new LinkedBlockingQueue<>();
    start(200, empty::take);
    start(20, () -> Thread.sleep(Duration.ofDays(1)));
    Process serving = new ProcessBuilder("sleep", Long.toString(seconds + 2)).start();
    start(1, serving::waitFor);
    start(1, () -> serving.onExit().join());
    Semaphore fair = new Semaphore(2, true);
    start(
        30,
        () -> {
          while (true) {
            fair.acquire();
            Thread.sleep(20);
            fair.release();
          }
        });
    ReentrantLock lock = new ReentrantLock();
    Condition work = lock.newCondition();
    start(
        5,
        () -> {
          while (true) {
            lock.lock();
            try {
              work.await();
            } finally {
              lock.unlock();
            }
          }
        });
    // Workers that were served have nothing to do from then on.
    for (long half = 0; half < seconds; half++) {
      Thread.sleep(500);
      lock.lock();
      try {
        work.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
