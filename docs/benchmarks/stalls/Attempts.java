import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Loops that sleep and try again. */
final class Attempts {
  private static final LongAdder ROUNDS = new LongAdder();

  /** The locks that are kept; the JVM would close their channels. */
  private static final List<FileLock> LOCKS = new ArrayList<>();

  private Attempts() {}

  /** A service that refuses all calls, or some of them. */
  private record Remote(double refused) {
    int call() throws IOException {
      ROUNDS.increment();
      if (ThreadLocalRandom.current().nextDouble() < refused) {
        throw new IOException("refused");
      }
      return 1;
    }

    /** Tries again, with longer and longer pauses. */
    int callWithBackOff() throws InterruptedException {
      long pause = 100;
      while (true) {
        try {
          return call();
        } catch (IOException e) {
          Thread.sleep(pause);
          pause = Math.min(3_000, pause * 2);
        }
      }
    }

    boolean send() {
      ROUNDS.increment();
      return ThreadLocalRandom.current().nextDouble() >= refused;
    }
  }

  /** Requests wait for tasks that call a service again and again, which always refuses. */
  @Programs.StandsStill("callWithBackOff")
  static void backOffNeverSucceeds() {
    Asked.service();
    Remote remote = new Remote(1);
    Programs.start(
        3,
        () -> {
          try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(remote::callWithBackOff).get();
          }
        });
  }

  /** The same of stages of a future. */
  @Programs.StandsStill("callWithBackOff|CompletableFuture")
  static void stageTriedAgain() {
    Asked.service();
    Remote remote = new Remote(1);
    var executor = Executors.newVirtualThreadPerTaskExecutor();
    Programs.start(
        3,
        () ->
            CompletableFuture.supplyAsync(
                    () -> {
                      try {
                        return remote.callWithBackOff();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    },
                    executor)
                .join());
  }

  /** A service refuses nine calls in ten, so that requests take long. */
  @Programs.Healthy
  static void backOffSucceeds() {
    Remote remote = new Remote(0.9);
    Programs.repeat(
        6,
        () -> {
          try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(remote::callWithBackOff).get();
          }
        });
  }

  /** An exporter of metrics does not reach its server, and nobody waits for it. */
  @Programs.Healthy
  static void exporterWithoutServer() {
    Asked.service();
    Remote remote = new Remote(1);
    Programs.start(
        () -> {
          remote.callWithBackOff();
          while (true) {
            remote.call();
            Programs.sleep(1);
          }
        });
  }

  /** Threads try to lock a file that this program has locked itself. */
  @Programs.StandsStill("tryLock|FileLock")
  static void fileLockRetried() throws Exception {
    Asked.service();
    Path file = Files.createTempFile("export", ".lock");
    FileChannel first = FileChannel.open(file, StandardOpenOption.WRITE);
    LOCKS.add(first.lock());
    Programs.start(
        3,
        () -> {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            locked(channel).release();
          }
        });
  }

  private static FileLock locked(FileChannel channel) throws Exception {
    while (true) {
      try {
        FileLock lock = channel.tryLock();
        if (lock != null) {
          return lock;
        }
      } catch (OverlappingFileLockException e) {
        // this program has it
      }
      Thread.sleep(200);
    }
  }

  /** Tokens, of which some come each second. */
  private static final class Tokens {
    private final double perSecond;
    private double left;
    private long at = System.nanoTime();

    Tokens(double perSecond) {
      this.perSecond = perSecond;
    }

    synchronized boolean tryTake() {
      long now = System.nanoTime();
      left = Math.min(5, left + (now - at) / 1e9 * perSecond);
      at = now;
      if (left < 1) {
        return false;
      }
      left--;
      return true;
    }
  }

  /** Requests are asked for by futures, and their limiter never lets any through. */
  @Programs.StandsStill("tryTake|limited")
  static void limiterLetsNobodyThrough() {
    Asked.service();
    Tokens tokens = new Tokens(0);
    Programs.start(
        4,
        () -> {
          try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(() -> limited(tokens)).get();
          }
        });
  }

  private static int limited(Tokens tokens) throws InterruptedException {
    while (!tokens.tryTake()) {
      Thread.sleep(100);
    }
    return 1;
  }

  /** A limiter lets one of twenty through each two seconds. */
  @Programs.Healthy
  static void limiterLetsSomeThrough() {
    Tokens tokens = new Tokens(0.5);
    Programs.repeat(
        20,
        () -> {
          try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(() -> limited(tokens)).get();
          }
        });
  }

  /** A row of a table that is asked for. */
  private static final class Jobs {
    private final List<String> states = new ArrayList<>(List.of("NEW"));

    synchronized String state(int id) {
      ROUNDS.increment();
      return states.get(id);
    }
  }

  /** A request asks a table whether its job is done, which nobody does. */
  @Programs.StandsStill("awaitDone|state")
  static void jobTablePolled() {
    Asked.service();
    Jobs jobs = new Jobs();
    Programs.start(
        2,
        () -> {
          try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(() -> awaitDone(jobs)).get();
          }
        });
  }

  private static int awaitDone(Jobs jobs) throws InterruptedException {
    while (!jobs.state(0).equals("DONE")) {
      Thread.sleep(500);
    }
    return 1;
  }

  /** A batch sends 10,000 letters, one each 100 ms, and a request waits for its end. */
  @Programs.Healthy
  static void throttledBatch() {
    Asked.service();
    Remote remote = new Remote(0);
    Programs.start(
        () -> {
          try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor
                .submit(
                    () -> {
                      for (int i = 0; i < 10_000; i++) {
                        remote.call();
                        Thread.sleep(100);
                      }
                      return 1;
                    })
                .get();
          }
        });
  }

  /** The same, but some letters are sent again after an error. */
  @Programs.Healthy
  static void batchWithErrors() {
    Asked.service();
    Remote remote = new Remote(0.3);
    Programs.start(
        () -> {
          try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> end =
                executor.submit(
                    () -> {
                      int sent = 0;
                      while (sent < 10_000) {
                        try {
                          remote.call();
                          sent++;
                        } catch (IOException e) {
                          Thread.sleep(300);
                        }
                      }
                      return sent;
                    });
            end.get();
          }
        });
  }

  /** Each of four parts of a service is joined: a heartbeat, a poller, a retrier and a ticker. */
  @Programs.Healthy
  static void joinedServices() {
    Asked.service();
    Remote remote = new Remote(0);
    Remote refusing = new Remote(1);
    Programs.start(
        () -> {
          try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(
                () -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    remote.call();
                    Thread.sleep(500);
                  }
                  return 1;
                });
            executor.submit(
                () -> {
                  while (remote.send()) {
                    Thread.sleep(500);
                  }
                  return 1;
                });
            executor.submit(
                () -> {
                  while (true) {
                    try {
                      refusing.call();
                    } catch (IOException e) {
                      Thread.sleep(500);
                    }
                  }
                });
            executor.submit(
                () -> {
                  while (true) {
                    refusing.callWithBackOff();
                  }
                });
          }
        });
  }

  /** The lease of a leader, who renews it. */
  private static final class Lease {
    private final AtomicReference<String> owner = new AtomicReference<>();
    private volatile long until;

    boolean tryGet(String name) {
      if (System.nanoTime() - until > 0) {
        owner.set(name);
      }
      if (name.equals(owner.get())) {
        until = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        return true;
      }
      return false;
    }
  }

  /** A standby tries each second to become the leader, who lives and renews its lease. */
  @Programs.Healthy
  static void standbyOfLiveLeader() throws Exception {
    Lease lease = new Lease();
    lease.tryGet("a");
    Programs.repeat(
        1,
        () -> {
          lease.tryGet("a");
          Programs.sleep(1);
        });
    Programs.start(
        () -> {
          while (!lease.tryGet("b")) {
            Thread.sleep(1_000);
          }
          Programs.repeat(1, () -> Programs.sleep(1));
        });
  }

  /** A future that times out is asked for anew each time, and never comes. */
  @Programs.StandsStill("CompletableFuture|askAgain")
  static void timedOutAndAskedAgain() {
    Asked.service();
    Programs.start(
        3,
        () -> {
          try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(Attempts::askAgain).get();
          }
        });
  }

  private static int askAgain() {
    while (true) {
      try {
        return new CompletableFuture<Integer>().orTimeout(2, TimeUnit.SECONDS).join();
      } catch (RuntimeException e) {
        ROUNDS.increment();
      }
    }
  }

}
