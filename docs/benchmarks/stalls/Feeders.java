import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;

/** Who feeds others fails, or has done all that it had to do. */
final class Feeders {
  private Feeders() {}

  private static void fail() {
    throw new IllegalStateException("no more input");
  }

  /** A producer fails before it delivers anything, and its five consumers wait. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void producerFailedAtOnce() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(5, queue::take);
    Programs.start(Feeders::fail);
  }

  /** A producer fails after one element, and its five consumers wait. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void producerFailedAfterOne() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(5, queue::take);
    Programs.start(
        () -> {
          queue.put(1);
          fail();
        });
  }

  /** A producer on a platform thread fails after fifty elements. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void platformProducerFailed() {
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(5);
    Programs.repeat(5, queue::take);
    Programs.startPlatform(
        () -> {
          deliver(queue, 50);
          fail();
        });
  }

  /** A producer is the task of an executor, and fails; nobody looks at its future. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void producerFailedAsTask() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(5, queue::take);
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    executor.submit(
        () -> {
          deliver(queue, 20);
          fail();
          return 0;
        });
  }

  /** A stage between two queues fails, and the stages behind it wait for ever. */
  @Programs.StandsStill("LinkedTransferQueue")
  static void stageFailed() {
    LinkedTransferQueue<Integer> first = new LinkedTransferQueue<>();
    LinkedTransferQueue<Integer> second = new LinkedTransferQueue<>();
    Programs.repeat(
        1,
        () -> {
          first.put(1);
          Programs.sleep(0.5);
        });
    Programs.start(
        () -> {
          for (int i = 0; i < 10; i++) {
            second.put(first.take());
          }
          fail();
        });
    Programs.repeat(3, second::take);
  }

  /** Five consumers poll a queue a second at a time, and its producer has failed. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void pollersOfFailedProducer() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(5, () -> queue.poll(1, TimeUnit.SECONDS));
    Programs.start(
        () -> {
          deliver(queue, 50);
          fail();
        });
  }

  /** Workers wait in Object.wait, and who notified them has failed. */
  @Programs.StandsStill("Object.wait")
  static void notifierFailed() {
    Object lock = new Object();
    Programs.repeat(
        2,
        () -> {
          synchronized (lock) {
            lock.wait();
          }
        });
    Programs.startPlatform(
        () -> {
          for (int i = 0; i < 30; i++) {
            synchronized (lock) {
              lock.notifyAll();
            }
            Programs.sleep(0.1);
          }
          fail();
        });
  }

  /** Two actors answer each other's messages, and at last each waits for the other's. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void actorsForEachOther() {
    LinkedBlockingQueue<Integer> first = new LinkedBlockingQueue<>();
    LinkedBlockingQueue<Integer> second = new LinkedBlockingQueue<>();
    Programs.start(() -> talk(first, second, 1));
    Programs.start(() -> talk(second, first, 0));
  }

  private static void talk(
      BlockingQueue<Integer> own, BlockingQueue<Integer> other, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      other.put(i);
    }
    for (int i = 0; i < 20; i++) {
      own.take();
      Programs.sleep(0.1);
      other.put(i);
    }
    own.take();
    own.take();
  }

  /** Two actors wait for each other's first message. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void actorsForFirstMessage() {
    LinkedBlockingQueue<Integer> first = new LinkedBlockingQueue<>();
    LinkedBlockingQueue<Integer> second = new LinkedBlockingQueue<>();
    Programs.start(
        () -> {
          first.take();
          second.put(1);
        });
    Programs.start(
        () -> {
          second.take();
          first.put(1);
        });
  }

  /** A feeder has delivered all and ended, and ten workers have nothing to do from then on. */
  @Programs.Healthy
  static void feederDone() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(10, queue::take);
    Programs.start(() -> deliver(queue, 100));
  }

  /** The same, and the feeder was a task of an executor. */
  @Programs.Healthy
  static void feedingTaskDone() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(10, queue::take);
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    executor.submit(
        () -> {
          deliver(queue, 100);
          return 0;
        });
  }

  /** Who notified workers in Object.wait has ended; for what they wait nobody can tell. */
  @Programs.StandsStill("Object.wait")
  static void notifierEnded() {
    Object lock = new Object();
    Programs.repeat(
        2,
        () -> {
          synchronized (lock) {
            lock.wait();
          }
        });
    Programs.start(
        () -> {
          for (int i = 0; i < 10; i++) {
            synchronized (lock) {
              lock.notifyAll();
            }
            Programs.sleep(0.1);
          }
        });
  }

  /** Requests come one by one for a while, put something into a log's queue, and some fail. */
  @Programs.Healthy
  static void failingRequestsLog() {
    LinkedBlockingQueue<Integer> log = new LinkedBlockingQueue<>();
    Programs.repeat(1, log::take);
    Programs.startPlatform(
        () -> {
          for (int i = 0; i < 40; i++) {
            boolean fails = i % 4 == 3;
            Programs.start(
                () -> {
                  log.put(1);
                  if (fails) {
                    fail();
                  }
                });
            Programs.sleep(0.1);
          }
          Programs.sleepForEver();
        });
  }

  private static void deliver(BlockingQueue<Integer> queue, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      queue.put(i);
      Programs.sleep(0.05);
    }
  }
}
