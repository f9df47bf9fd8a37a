import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Ways to stand still that fit nowhere else. */
final class Others {
  private Others() {}

  /** A subscriber takes one item and requests no more, and two threads submit. */
  @Programs.StandsStill("SubmissionPublisher")
  static void subscriberRequestsNoMore() {
    SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>(Runnable::run, 4);
    publisher.subscribe(
        new Flow.Subscriber<>() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(1);
          }

          @Override
          public void onNext(Integer item) {}

          @Override
          public void onError(Throwable error) {}

          @Override
          public void onComplete() {}
        });
    Programs.repeat(2, () -> publisher.submit(1));
  }

  /** Four threads join all of three futures, one of which is never completed. */
  @Programs.StandsStill("CompletableFuture")
  static void oneOfAllMissing() {
    CompletableFuture<Integer> never = new CompletableFuture<>();
    CompletableFuture<Integer> soon =
        new CompletableFuture<Integer>().completeOnTimeout(1, 1, TimeUnit.SECONDS);
    Programs.start(4, () -> CompletableFuture.allOf(soon, never).join());
  }

  /** A thread reads from a pipe whose writer has written a little and waits for something else. */
  @Programs.StandsStill("pipe|PipedInputStream|CountDownLatch")
  static void pipeOfStuckWriter() throws IOException {
    PipedOutputStream out = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(out);
    Programs.start(
        () -> {
          out.write(1);
          out.flush();
          new CountDownLatch(1).await();
        });
    Programs.repeat(1, in::read);
  }

  /** Both tasks of a pool of two ask that pool to do three others. */
  @Programs.StandsStill("ExecutorService|Future")
  static void invokeAllInOwnPool() {
    ExecutorService pool = Executors.newFixedThreadPool(2, Thread.ofVirtual().factory());
    CountDownLatch both = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      Programs.submit(
          pool,
          () -> {
            both.countDown();
            both.await();
            Callable<Integer> task = () -> 1;
            pool.invokeAll(List.of(task, task, task));
          });
    }
  }

  /** Two threads join a task that nobody has forked. */
  @Programs.StandsStill("ForkJoinTask")
  static void taskNeverForked() {
    ForkJoinTask<Integer> task = ForkJoinTask.adapt(() -> 1);
    Programs.start(2, task::get);
  }

  /** Three virtual threads join a platform thread that is parked. */
  @Programs.StandsStill("Thread.join")
  static void joinOfParkedPlatformThread() {
    Thread parked =
        Programs.startPlatform(
            () -> {
              while (true) {
                LockSupport.park();
              }
            });
    Programs.start(3, parked::join);
  }

  /** A server that nobody refers to is closed. */
  private static ServerSocket silent;

  private static final CountDownLatch BOTH = new CountDownLatch(2);

  private static void meet() {
    BOTH.countDown();
    try {
      BOTH.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class First {
    static final int VALUE;

    static {
      meet();
      VALUE = Second.VALUE + 1;
    }
  }

  private static final class Second {
    static final int VALUE;

    static {
      meet();
      VALUE = First.VALUE + 1;
    }
  }

  /** Two platform threads initialize two classes that need each other, and others need these. */
  @Programs.StandsStill("First|Second|Others$First|Others$Second|deadlock")
  static void initializersInACircle() throws InterruptedException {
    Programs.startPlatform(() -> System.out.println(First.VALUE));
    Programs.startPlatform(() -> System.out.println(Second.VALUE));
    Programs.sleep(2);
    Programs.start(() -> System.out.println(First.VALUE));
  }

  /** Clients take all that a pool has, and validate it with another object of the same pool. */
  @Programs.StandsStill("Semaphore")
  static void validationNeedsPool() {
    Semaphore pool = new Semaphore(4);
    CountDownLatch all = new CountDownLatch(4);
    Programs.start(
        8,
        () -> {
          pool.acquire();
          all.countDown();
          all.await();
          pool.acquire();
          pool.release(2);
        });
  }

  /** A thread that reads waits for an answer of one that wants to write. */
  @Programs.StandsStill("CompletableFuture|ReentrantReadWriteLock")
  static void readerWaitsForWriter() {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    CompletableFuture<Integer> written = new CompletableFuture<>();
    Programs.start(
        () -> {
          lock.readLock().lock();
          written.join();
        });
    Programs.start(
        () -> {
          Programs.sleep(1);
          lock.writeLock().lock();
          written.complete(1);
        });
  }

  /** Each of two threads transfers something to the other, and none receives. */
  @Programs.StandsStill("LinkedTransferQueue")
  static void transfersToEachOther() {
    LinkedTransferQueue<Integer> first = new LinkedTransferQueue<>();
    LinkedTransferQueue<Integer> second = new LinkedTransferQueue<>();
    Programs.start(
        () -> {
          first.transfer(1);
          second.take();
        });
    Programs.start(
        () -> {
          second.transfer(1);
          first.take();
        });
  }

  /** The task of a scheduler with one virtual thread waits for another task of it. */
  @Programs.StandsStill("Future|FutureTask")
  static void scheduledTaskForAnother() {
    ScheduledExecutorService scheduler =
        Executors.newScheduledThreadPool(1, Thread.ofVirtual().factory());
    scheduler.schedule(
        () -> scheduler.schedule(() -> 1, 1, TimeUnit.SECONDS).get(), 1, TimeUnit.SECONDS);
  }

  /** A stage runs in a single thread, and that thread joins what the stage completes. */
  @Programs.StandsStill("CompletableFuture")
  static void stageInItsOwnThread() {
    ExecutorService single = Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    Programs.submit(single, () -> CompletableFuture.supplyAsync(() -> 1, single).join());
  }

  /** A thread waits for a child process whose output nobody reads. */
  @Programs.StandsStill("Process")
  static void childWithFullOutput() throws IOException {
    Process child = new ProcessBuilder("head", "-c", "1000000", "/dev/zero").start();
    Programs.start(child::waitFor);
  }

  /** A thread reads the output of a child process that waits for input. */
  @Programs.StandsStill("readFromWaitingChild|Process|native code")
  static void readFromWaitingChild() throws IOException {
    Process child = new ProcessBuilder("cat").start();
    Programs.start(() -> System.out.println(child.getInputStream().read()));
  }

  /** A thread takes four results of three tasks. */
  @Programs.StandsStill("ExecutorCompletionService")
  static void moreResultsThanTasks() {
    var results = new ExecutorCompletionService<Integer>(Executors.newCachedThreadPool(Programs::daemon));
    for (int i = 0; i < 3; i++) {
      results.submit(() -> 1);
    }
    Programs.repeat(1, results::take);
  }

  /** Three threads get what an asynchronous channel reads, and the server never sends. */
  @Programs.StandsStill("Future|PendingFuture")
  static void asynchronousReadNeverDone() throws IOException {
    ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Programs.startPlatform(
        () -> {
          Socket kept = server.accept();
          Programs.sleepForEver();
          kept.close();
        });
    InetSocketAddress address =
        new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    Programs.start(
        1,
        () -> {
          AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
          channel.connect(address).get();
          channel.write(ByteBuffer.wrap(new byte[1])).get();
          channel.read(ByteBuffer.allocate(10)).get();
        });
  }

  /** Clients join what HTTP requests complete that a server of this JVM never answers. */
  @Programs.StandsStill("CompletableFuture")
  static void asynchronousRequestsNeverAnswered() throws IOException {
    ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    silent = server;
    HttpClient client = HttpClient.newHttpClient();
    URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    Programs.start(
        4, () -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join());
  }

  /** Clients connect to a server of this JVM that accepts nobody. */
  @Programs.StandsStill("socket|Socket")
  static void serverAcceptsNobody() throws IOException {
    ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Programs.start(
        4,
        () -> {
          Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
          socket.getOutputStream().write(1);
          System.out.println(socket.getInputStream().read());
        });
  }
}
