import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that wait for a state, are woken or look again and again, and find it unchanged. */
final class States {
  private States() {}

  /** A heartbeat signals a condition each second, and what the others wait for never comes. */
  @Programs.StandsStill("Condition")
  static void signalledInVain() {
    ReentrantLock lock = new ReentrantLock();
    Condition changed = lock.newCondition();
    Map<String, Integer> results = new ConcurrentHashMap<>();
    Programs.start(
        4,
        () -> {
          lock.lock();
          try {
            while (!results.containsKey("ready")) {
              changed.await();
            }
          } finally {
            lock.unlock();
          }
        });
    Programs.repeat(
        1,
        () -> {
          lock.lock();
          try {
            changed.signalAll();
          } finally {
            lock.unlock();
          }
          Programs.sleep(1);
        });
  }

  /** A box that is full after ten parts. */
  static final class Box {
    private int parts;

    synchronized void awaitFull() throws InterruptedException {
      while (parts < 10) {
        wait();
      }
    }

    synchronized void beat() {
      notifyAll();
    }

    synchronized void fill() {
      parts++;
      notifyAll();
    }
  }

  /** The same by a monitor, while a service goes on. */
  @Programs.StandsStill(value = "Object.wait", java = 25)
  static void notifiedInVain() {
    Asked.service();
    Box box = new Box();
    Programs.start(4, box::awaitFull);
    Programs.repeat(
        1,
        () -> {
          box.beat();
          Programs.sleep(2);
        });
  }

  /**
   * Boxes are filled within 15 s, and each part wakes the thread that waits. On Java 21 those that
   * wait keep both carriers, and nobody can fill the boxes.
   */
  @Programs.Healthy(java = 25)
  static void filledSlowly() {
    Programs.repeat(
        2,
        () -> {
          Box box = new Box();
          Programs.start(
              () -> {
                for (int i = 0; i < 10; i++) {
                  Programs.sleep(1.5);
                  box.fill();
                }
              });
          box.awaitFull();
        });
  }

  /** A queue of its own, whose idle workers are all woken for each element. */
  static final class Inbox {
    private int size;

    synchronized void put() {
      size++;
      notifyAll();
    }

    synchronized void take() throws InterruptedException {
      while (size == 0) {
        wait();
      }
      size--;
    }
  }

  /** Fifty workers are woken each second, and one of them gets something. */
  @Programs.Healthy(java = 25)
  static void allWokenForOne() {
    Inbox inbox = new Inbox();
    Programs.repeat(50, inbox::take);
    Programs.repeat(
        1,
        () -> {
          inbox.put();
          Programs.sleep(1);
        });
  }

  /** Something that is ready some day. */
  static final class Job {
    private volatile boolean complete;

    boolean isComplete() {
      return complete;
    }
  }

  /** Threads ask a job by its getter whether it is complete. */
  @Programs.StandsStill("isComplete")
  static void jobNeverComplete() {
    Asked.service();
    Job job = new Job();
    Programs.start(
        3,
        () -> {
          while (!job.isComplete()) {
            Programs.sleep(0.2);
          }
        });
  }

  /** Threads wait for a file that nobody writes. */
  @Programs.StandsStill("Files.exists")
  static void fileNeverWritten() throws Exception {
    Asked.service();
    Path file = Files.createTempDirectory("export").resolve("done");
    Programs.start(
        3,
        () -> {
          while (!Files.exists(file)) {
            Thread.sleep(200);
          }
        });
  }

  /** A worker asks by a getter whether there is work, which comes every 35 s. */
  @Programs.Healthy
  static void workerAsks() {
    Asked.service();
    Job[] job = {new Job()};
    Programs.repeat(
        1,
        () -> {
          while (!job[0].isComplete()) {
            Thread.sleep(200);
          }
          job[0] = new Job();
        });
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(35);
          job[0].complete = true;
        });
  }

  /** Consumers sleep longer and longer while their queue is empty. */
  @Programs.Healthy
  static void pollersBackOff() {
    Asked.service();
    Queue<Integer> queue = new ConcurrentLinkedQueue<>();
    Programs.start(
        2,
        () -> {
          long pause = 10;
          while (true) {
            if (queue.poll() == null) {
              Thread.sleep(pause);
              pause = Math.min(10_000, pause * 2);
            } else {
              pause = 10;
            }
          }
        });
    Programs.repeat(
        1,
        () -> {
          queue.add(1);
          Programs.sleep(20);
        });
  }

  /** One of four parts of a service, each with a lock of its own. */
  static final class Shard {
    private final ReentrantLock lock = new ReentrantLock();

    void use(double seconds) throws InterruptedException {
      lock.lock();
      try {
        Programs.sleep(seconds);
      } finally {
        lock.unlock();
      }
    }

    void keep(CountDownLatch latch) throws InterruptedException {
      lock.lock();
      try {
        latch.await();
      } finally {
        lock.unlock();
      }
    }
  }

  private static Shard[] shards() {
    return new Shard[] {new Shard(), new Shard(), new Shard(), new Shard()};
  }

  /** Requests to one of four shards stand still, those to the others go on in the same method. */
  @Programs.StandsStill("ReentrantLock|CountDownLatch")
  static void oneShardLocked() {
    Shard[] shards = shards();
    Programs.start(
        () -> {
          Programs.sleep(2);
          shards[0].keep(new CountDownLatch(1));
        });
    Programs.repeat(16, () -> shards[ThreadLocalRandom.current().nextInt(4)].use(0.05));
    Programs.repeat(4, () -> shards[1 + ThreadLocalRandom.current().nextInt(3)].use(0.05));
  }

  /** One of four shards takes nine seconds for each request. */
  @Programs.Healthy
  static void oneShardSlow() {
    Shard[] shards = shards();
    for (int i = 0; i < 4; i++) {
      int shard = i;
      Programs.repeat(3, () -> shards[shard].use(shard == 0 ? 9 : 0.05));
    }
  }
}
