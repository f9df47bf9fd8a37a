import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What threads have asked for, or do for others, while other threads of the program go on. */
final class Asked {
  static final double LONGER_THAN_ALL = 1e6;

  private Asked() {}

  /** A timer, and workers that serve a queue: what goes on in any service. */
  static void service() {
    BlockingQueue<Integer> jobs = new LinkedBlockingQueue<>();
    Programs.repeat(
        2,
        () -> {
          jobs.take();
          Programs.sleep(0.1);
        });
    Programs.repeat(
        1,
        () -> {
          jobs.put(1);
          Programs.sleep(0.7);
        });
  }

  static void work(double seconds) throws InterruptedException {
    for (double done = 0; done < seconds; done += 0.1) {
      Programs.sleep(0.1);
    }
  }

  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private static Socket connect(ServerSocket server) throws IOException {
    return new Socket(server.getInetAddress(), server.getLocalPort());
  }

  /** Five threads wait for a first message. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void firstMessageNeverComes() {
    service();
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.start(5, queue::take);
  }

  /** Five clients send a request with a queue for the answer, and the server forgets to answer. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void answerForgotten() {
    service();
    BlockingQueue<BlockingQueue<Integer>> requests = new LinkedBlockingQueue<>();
    Programs.repeat(1, requests::take);
    Programs.start(
        5,
        () -> {
          BlockingQueue<Integer> answer = new ArrayBlockingQueue<>(1);
          requests.put(answer);
          answer.take();
        });
  }

  /** The same, with clients that ask again and again; one answer in twenty is forgotten. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void answersForgottenNowAndThen() {
    service();
    BlockingQueue<BlockingQueue<Integer>> requests = new LinkedBlockingQueue<>();
    AtomicInteger count = new AtomicInteger();
    Programs.repeat(
        1,
        () -> {
          BlockingQueue<Integer> answer = requests.take();
          if (count.incrementAndGet() % 20 != 0) {
            answer.put(1);
          }
        });
    Programs.repeat(
        10,
        () -> {
          BlockingQueue<Integer> answer = new LinkedBlockingQueue<>();
          requests.put(answer);
          answer.take();
          Programs.sleep(0.1);
        });
  }

  /** Three clients ask by datagrams, and nobody answers. */
  @Programs.StandsStill("datagram socket")
  static void datagramNeverAnswered() throws IOException {
    service();
    DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    Programs.start(
        3,
        () -> {
          DatagramSocket client = new DatagramSocket();
          client.send(new DatagramPacket(new byte[5], 5, server.getLocalSocketAddress()));
          client.receive(new DatagramPacket(new byte[5], 5));
        });
  }

  /** Five clients read the body of an answer by HTTP, which never ends. */
  @Programs.StandsStill("HTTP body")
  static void bodyNeverEnds() throws IOException {
    service();
    ServerSocket server = server();
    List<Socket> open = new ArrayList<>();
    Programs.startPlatform(
        () -> {
          while (true) {
            Socket client = server.accept();
            open.add(client);
            String head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello";
            client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
          }
        });
    HttpClient http = HttpClient.newHttpClient();
    URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    Programs.start(
        5,
        () ->
            http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofInputStream())
                .body()
                .readAllBytes());
  }

  /** A server of this JVM sends half a message, and both sides wait for the other. */
  @Programs.StandsStill("socket")
  static void halfAMessage() throws IOException {
    service();
    ServerSocket server = server();
    Programs.repeat(
        1,
        () -> {
          Socket client = server.accept();
          Programs.start(
              () -> {
                client.getInputStream().read();
                client.getOutputStream().write(new byte[3]);
                client.getInputStream().read();
              });
        });
    Programs.start(
        5,
        () -> {
          Socket socket = connect(server);
          socket.getOutputStream().write(1);
          socket.getInputStream().readNBytes(4);
        });
  }

  /** Three threads join each other in a circle, in a server that has nothing to do. */
  @Programs.StandsStill("Thread.join")
  static void joinedInACircle() throws IOException {
    Programs.start(server()::accept);
    Programs.repeat(3, new LinkedBlockingQueue<>()::take);
    Thread[] all = new Thread[3];
    for (int i = 0; i < all.length; i++) {
      int next = (i + 1) % all.length;
      all[i] =
          Thread.ofVirtual()
              .unstarted(
                  () -> {
                    try {
                      all[next].join();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
    }
    for (Thread one : all) {
      one.start();
    }
  }

  /** Forty threads join a platform thread that is parked, in a server that has nothing to do. */
  @Programs.StandsStill("Thread.join")
  static void parkedThreadJoined() throws IOException {
    Programs.start(server()::accept);
    Thread parked =
        Programs.startPlatform(
            () -> {
              while (true) {
                LockSupport.park();
              }
            });
    Programs.start(40, parked::join);
  }

  /** A thread closes an executor, and has not told its workers that nothing more will come. */
  @Programs.StandsStill("ExecutorService|LinkedBlockingQueue")
  static void closedBeforeWorkersEnd() {
    service();
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.start(
        () -> {
          try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3; i++) {
              Programs.submit(
                  workers,
                  () -> {
                    while (queue.take() >= 0) {}
                  });
            }
            for (int i = 0; i < 60; i++) {
              queue.put(i);
              Programs.sleep(0.1);
            }
          }
        });
  }

  /** Four threads try again and again to get a lock whose owner has ended, and count it. */
  @Programs.StandsStill("ReentrantLock")
  static void attemptsCounted() {
    service();
    ReentrantLock lock = new ReentrantLock();
    Programs.start(lock::lock);
    AtomicLong attempts = new AtomicLong();
    Programs.start(
        4,
        () -> {
          Programs.sleep(0.2);
          while (!lock.tryLock(1, TimeUnit.SECONDS)) {
            attempts.incrementAndGet();
          }
        });
  }

  /** Two writers try again and again to get a lock that a reader has not given up, and count it. */
  @Programs.StandsStill("ReentrantReadWriteLock")
  static void writersAttempts() {
    service();
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    Programs.start(lock.readLock()::lock);
    AtomicLong attempts = new AtomicLong();
    Programs.start(
        2,
        () -> {
          Programs.sleep(0.2);
          while (!lock.writeLock().tryLock(2, TimeUnit.SECONDS)) {
            attempts.incrementAndGet();
          }
        });
  }

  /** Five threads look into a map until there is a result, which nobody puts there. */
  @Programs.StandsStill("Thread.sleep|sleep|ConcurrentHashMap.get|Map.get")
  static void resultNeverInMap() {
    service();
    Map<Integer, String> results = new ConcurrentHashMap<>();
    Programs.start(
        5,
        () -> {
          while (results.get(7) == null) {
            Thread.sleep(50);
          }
        });
  }

  /** Three of four threads count, and wait until the count is four. */
  @Programs.StandsStill("Thread.sleep|sleep|AtomicInteger.get")
  static void countNeverReached() {
    service();
    AtomicInteger count = new AtomicInteger();
    Programs.start(
        3,
        () -> {
          count.incrementAndGet();
          while (count.get() < 4) {
            Thread.sleep(20);
          }
        });
  }

  /** A thread joins one that works for longer than the program lasts. */
  @Programs.Healthy
  static void workerJoined() {
    Thread worker = Programs.start(() -> work(LONGER_THAN_ALL));
    Programs.start(worker::join);
  }

  /** A thread closes an executor whose tasks work on. */
  @Programs.Healthy
  static void workingExecutorClosed() {
    Programs.start(
        () -> {
          try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 5; i++) {
              Programs.submit(workers, () -> work(LONGER_THAN_ALL));
            }
          }
        });
  }

  /** Two threads get the results of tasks that work on. */
  @Programs.Healthy
  static void workingTasksGotten() {
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    Programs.start(
        () ->
            workers
                .submit(
                    () -> {
                      work(LONGER_THAN_ALL);
                      return 1;
                    })
                .get());
    Programs.start(
        () ->
            workers.invokeAll(
                Collections.nCopies(
                    4,
                    () -> {
                      work(LONGER_THAN_ALL);
                      return 1;
                    })));
  }

  /** Three tasks compute one after the other in a pool of one thread, and threads get them. */
  @Programs.Healthy(alone = true)
  static void tasksBehindOneThatComputes() {
    ExecutorService pool = Executors.newFixedThreadPool(1, Programs::daemon);
    Programs.start(
        3,
        () ->
            pool.submit(
                    () -> {
                      for (long i = 0; ; i++) {
                        if (i % 1_000_000 == 0) {
                          Programs.sleep(0.005);
                        }
                      }
                    })
                .get());
  }

  /** Twenty subscribers have a queue each, and one of them gets an event every seven seconds. */
  @Programs.Healthy
  static void eventsNowAndThen() {
    List<BlockingQueue<Integer>> queues = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
      queues.add(queue);
      Programs.repeat(1, queue::take);
    }
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(7);
          queues.get(ThreadLocalRandom.current().nextInt(queues.size())).put(1);
        });
  }

  /** A server waits for datagrams, and none comes. */
  @Programs.Healthy
  static void datagramServer() throws IOException {
    DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    Programs.repeat(1, () -> server.receive(new DatagramPacket(new byte[9], 9)));
  }

  /** A pool gets one more worker for each of 25 jobs, and all but one wait for the next. */
  @Programs.Healthy
  static void moreAndMoreWorkers() {
    BlockingQueue<Runnable> jobs = new LinkedBlockingQueue<>();
    AtomicInteger workers = new AtomicInteger();
    Programs.startPlatform(
        () -> {
          while (true) {
            Programs.sleep(1.5);
            if (workers.getAndIncrement() < 25) {
              Programs.repeat(1, () -> jobs.take().run());
            }
            jobs.put(() -> {});
          }
        });
  }

  /** Three threads try for three seconds to get a lock whose owner keeps it for fifteen. */
  @Programs.Healthy
  static void lockInTurn() {
    ReentrantLock lock = new ReentrantLock();
    Programs.repeat(
        3,
        () -> {
          if (lock.tryLock(3, TimeUnit.SECONDS)) {
            try {
              work(15);
            } finally {
              lock.unlock();
            }
          }
        });
  }
}
